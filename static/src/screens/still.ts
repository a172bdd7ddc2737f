// What does not change is not drawn again.
import { Component, type ComponentType, type JSX } from "preact";

/**
 * A component that is drawn again only when one of its props is another value, or when a signal it has
 * read (the language) has changed. Functions among the props (`on...`) are taken to do the same as before.
 */
export function still<P extends object>(draw: (props: P) => JSX.Element | null): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P, state: object): boolean {
      if (state !== this.state) return true; // that is how a signal asks for it
      const now = this.props as P;
      for (const each in next) if (next[each] !== now[each] && !each.startsWith("on")) return true;
      return false;
    }

    override render(props: P): JSX.Element | null {
      return draw(props);
    }
  };
}
