"""What the host's console says, in three languages. The phones have catalogues of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES: Final = ("es", "pt-BR", "en")

_ES: Final = {
    "opening": "abriendo la mesa …",
    "title": "Mesa de Penúltima",
    "title_of": "Mesa de {name}",
    "scan": "Escanea el código o abre el enlace",
    "same_wifi": "Los teléfonos tienen que estar en la misma red Wi-Fi.",
    "no_network": "Sin red: el enlace solo sirve en este computador.",
    "other": "Dirección {i} de {of} · n otra dirección",
    "host": "tu enlace, con él mandas",
    "players": "Jugadores",
    "nobody": "Todavía no hay nadie.",
    "lobby": "Esperando a que empiece",
    "round": "Ronda {n}",
    "turn": "Turno de {name}",
    "between": "Fin de la ronda {n}",
    "over": "Ganó {names}",
    "ended": "Partida terminada",
    "paused": "En pausa",
    "away": "ausente",
    "hidden": "en otra app",
    "bot": "bot",
    "keys": "q o Ctrl-C salir",
    "port_moved": "El puerto {busy} está ocupado; uso el {port}.",
    "port_busy": "el puerto {port} está ocupado: cierra lo que lo usa, o elige otro con --port",
    "port_denied": "no me dejan usar el puerto {port}: elige uno mayor que 1023 con --port",
    "bind_bad": "esta máquina no tiene la dirección {host}: quita --host, o mira `ip addr`",
    "rules_bad": "reglas: {field}: {reason}",
    "not_built": "Falta la página del juego: `make client`, o instala otra vez con `pip install .`",
    "hint": "Ningún teléfono todavía: ¿misma Wi-Fi, VPN apagada, cortafuegos abierto para el "
    "puerto {port}?",
    "closing": "Cerrando la mesa …",
    "closed": "Mesa cerrada.",
    "joined": "{name} entró",
    "left": "{name} se fue",
    "is_away": "{name}: sin conexión",
    "is_back": "{name} volvió",
    "round_started": "Ronda {n}",
    "scores": "Puntos: {scores}",
}
_PT: Final = {
    "opening": "abrindo a mesa …",
    "title": "Mesa de Penúltima",
    "title_of": "Mesa de {name}",
    "scan": "Escaneie o código ou abra o link",
    "same_wifi": "Os celulares precisam estar na mesma rede Wi-Fi.",
    "no_network": "Sem rede: o link só serve neste computador.",
    "other": "Endereço {i} de {of} · n outro endereço",
    "host": "seu link, com ele você manda",
    "players": "Jogadores",
    "nobody": "Ainda não há ninguém.",
    "lobby": "Esperando começar",
    "round": "Rodada {n}",
    "turn": "Vez de {name}",
    "between": "Fim da rodada {n}",
    "over": "{names} ganhou",
    "ended": "Partida terminada",
    "paused": "Em pausa",
    "away": "ausente",
    "hidden": "em outro app",
    "bot": "bot",
    "keys": "q ou Ctrl-C sair",
    "port_moved": "A porta {busy} está ocupada; uso a {port}.",
    "port_busy": "a porta {port} está ocupada: feche o que a usa, ou escolha outra com --port",
    "port_denied": "não posso usar a porta {port}: escolha uma maior que 1023 com --port",
    "bind_bad": "esta máquina não tem o endereço {host}: tire --host, ou veja `ip addr`",
    "rules_bad": "regras: {field}: {reason}",
    "not_built": "Falta a página do jogo: `make client`, ou instale de novo com `pip install .`",
    "hint": "Nenhum celular ainda: mesma Wi-Fi, VPN desligada, firewall aberto para a porta "
    "{port}?",
    "closing": "Fechando a mesa …",
    "closed": "Mesa fechada.",
    "joined": "{name} entrou",
    "left": "{name} saiu",
    "is_away": "{name}: sem conexão",
    "is_back": "{name} voltou",
    "round_started": "Rodada {n}",
    "scores": "Pontos: {scores}",
}
_EN: Final = {
    "opening": "opening the table …",
    "title": "Penúltima table",
    "title_of": "{name}'s table",
    "scan": "Scan the code or open the link",
    "same_wifi": "Phones have to be on the same Wi-Fi.",
    "no_network": "No network: the link works on this computer only.",
    "other": "Address {i} of {of} · n another address",
    "host": "your link, with the host's controls",
    "players": "Players",
    "nobody": "Nobody yet.",
    "lobby": "Waiting to start",
    "round": "Round {n}",
    "turn": "{name}'s turn",
    "between": "End of round {n}",
    "over": "{names} won",
    "ended": "The match is over",
    "paused": "Paused",
    "away": "away",
    "hidden": "in another app",
    "bot": "bot",
    "keys": "q or Ctrl-C quit",
    "port_moved": "Port {busy} is busy; using {port}.",
    "port_busy": "port {port} is busy: close what uses it, or choose another with --port",
    "port_denied": "may not use port {port}: choose one above 1023 with --port",
    "bind_bad": "this machine does not have the address {host}: leave --host out, or see `ip addr`",
    "rules_bad": "rules: {field}: {reason}",
    "not_built": "The game's page is missing: `make client`, or install again with `pip install .`",
    "hint": "No phone yet: same Wi-Fi, VPN off, firewall open for port {port}?",
    "closing": "Closing the table …",
    "closed": "Table closed.",
    "joined": "{name} joined",
    "left": "{name} left",
    "is_away": "{name}: connection lost",
    "is_back": "{name} is back",
    "round_started": "Round {n}",
    "scores": "Scores: {scores}",
}
CATALOGUES: Final[Mapping[str, Mapping[str, str]]] = {"es": _ES, "pt-BR": _PT, "en": _EN}


class Phrases:
    """The phrases of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._catalogue = CATALOGUES[lang]

    def __call__(self, key: str, **values: object) -> str:
        return self._catalogue[key].format(**values)


def language(wanted: str | None = None) -> str:
    """The language asked for, or that of the system; English when it is none of ours."""
    for text in (
        wanted,
        *(os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")),
    ):
        if not text:
            continue
        start = text.replace("_", "-").lower()
        for lang in LANGUAGES:
            if start.startswith(lang[:2].lower()):
                return lang
        return "en"
    return "en"
