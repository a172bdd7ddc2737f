// A placeholder, so that the build stands before the client does.
import { render } from "preact";

render(<h1>Penúltima</h1>, document.getElementById("app")!);
