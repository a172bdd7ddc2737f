"""Which address of this machine goes into the link: the one a phone in the room can reach.

`ranked` is a pure function over a list of interfaces; only `interfaces` and `default_sources`
look at the machine.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Interface:
    """One address of one network interface, as the system names it."""

    name: str
    address: str


TUNNEL = re.compile(
    r"^(tun|tap|utun|wg|ppp|ipsec|tailscale|zt|nordlynx|proton|gpd|cscotun|warp)\d*"
    r"|wireguard|openvpn|tailscale|zerotier|wintun|tap-windows|anyconnect|cloudflare warp",
    re.IGNORECASE,
)
VIRTUAL = re.compile(
    r"^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxdbr|incusbr|cni|flannel|cali|podman|kube|dummy)"
    r"|^vEthernet|virtualbox|vmware|hyper-v|^vmenet",
    re.IGNORECASE,
)
CARRIER_GRADE = ipaddress.ip_network("100.64.0.0/10")  # mostly an overlay network (Tailscale)
HOME = ipaddress.ip_network("192.168.0.0/16")
OFFICE = ipaddress.ip_network("10.0.0.0/8")


def ranked(found: Iterable[Interface], defaults: Collection[str] = ()) -> list[str]:
    """The addresses worth showing, best first. `defaults`: source addresses of default routes.

    A tunnel stays behind the room's own network even when it is the default route: the phones
    are in the room, not in the tunnel.
    """
    best: dict[str, tuple[int, int, int, int]] = {}
    for position, interface in enumerate(found):
        address = _plain(interface.address)
        if address is None or not _reachable(address):
            continue
        rank = _rank(interface.name, address, default=str(address) in defaults)
        text = str(address)
        best[text] = min(best.get(text, (9, 9, 9, 9)), (*rank, position))
    return sorted(best, key=lambda text: best[text])


def _plain(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _reachable(address: Address) -> bool:
    return not (
        address.is_unspecified
        or address.is_loopback
        or address.is_link_local  # IPv6: no browser takes the zone that it would need
        or address.is_multicast
        or (isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None)
    )


def _rank(name: str, address: Address, *, default: bool) -> tuple[int, int, int]:
    """(kind of interface, default route or not, kind of address); the least is the best."""
    if VIRTUAL.search(name):
        interface = 3
    elif TUNNEL.search(name) or (address.version == 4 and address in CARRIER_GRADE):
        interface = 2
    else:
        # A phone may lack IPv6, hardly ever IPv4.
        interface = 0 if address.version == 4 else 1
    if address.version == 6:
        kind = 4 if address.is_private else 5
    elif address in HOME:
        kind = 0
    elif address in OFFICE:
        kind = 1
    else:
        kind = 2 if address.is_private else 3
    return interface, 0 if default else 1, kind


def interfaces() -> list[Interface]:
    """What this machine has now. Nothing when the system does not tell."""
    import ifaddr  # noqa: PLC0415 - the first output does not wait for it

    found: list[Interface] = []
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return found
    for adapter in adapters:
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.append(Interface(ip.nice_name or adapter.nice_name, address))
    return found


def default_sources() -> set[str]:
    """From where this machine would speak to the internet. Connecting a datagram socket sends
    nothing; the addresses are set aside for documentation."""
    sources = set()
    for family, target in (
        (socket.AF_INET, "198.51.100.1"),
        (socket.AF_INET6, "2001:db8::1"),
    ):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                sources.add(str(probe.getsockname()[0]).partition("%")[0])
        except OSError:
            continue
    return sources


def own() -> list[str]:
    """The addresses of this machine, best first."""
    return ranked(interfaces(), default_sources())


def netloc(host: str, port: int) -> str:
    """Host and port as they stand in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
