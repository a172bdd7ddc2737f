"""Which address a phone in the room is given."""

import pytest

from penultima.host.addresses import Interface, netloc, own, ranked

I = Interface  # noqa: E741

MACHINES = {
    "Linux laptop with docker": (
        [
            I("lo", "127.0.0.1"), I("lo", "::1"), I("docker0", "172.17.0.1"),
            I("br-4f1e0a", "172.18.0.1"), I("veth12ab", "fe80::1"), I("wlp3s0", "192.168.1.23"),
        ],
        {"192.168.1.23"},
        ["192.168.1.23", "172.17.0.1", "172.18.0.1"],
    ),
    "Linux desktop with cable and Wi-Fi": (
        [I("wlan0", "192.168.1.51"), I("eth0", "192.168.1.50")],
        {"192.168.1.50"},
        ["192.168.1.50", "192.168.1.51"],
    ),
    "WSL": (
        [I("lo", "127.0.0.1"), I("eth0", "172.28.112.5"), I("docker0", "172.17.0.1")],
        {"172.28.112.5"},
        ["172.28.112.5", "172.17.0.1"],
    ),
    "Windows with Hyper-V and WSL switches": (
        [
            I("vEthernet (WSL (Hyper-V firewall))", "172.28.112.1"),
            I("vEthernet (Default Switch)", "172.31.64.1"),
            I("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1"),
            I("Intel(R) Wi-Fi 6 AX201", "192.168.0.14"),
            I("Software Loopback Interface 1", "127.0.0.1"),
        ],
        {"192.168.0.14"},
        ["192.168.0.14", "192.168.56.1", "172.28.112.1", "172.31.64.1"],
    ),
    "macOS": (
        [
            I("lo0", "127.0.0.1"), I("lo0", "fe80::1%lo0"), I("awdl0", "fe80::8c:1%awdl0"),
            I("en0", "fe80::14:2%en0"), I("en0", "192.168.1.8"), I("en0", "2800:a4:1::8"),
            I("utun3", "fe80::9%utun3"),
        ],
        {"192.168.1.8", "2800:a4:1::8"},
        ["192.168.1.8", "2800:a4:1::8"],
    ),
    "VPN that takes all traffic": (
        [I("tun0", "10.8.0.2"), I("wlan0", "192.168.1.7")],
        {"10.8.0.2"},
        ["192.168.1.7", "10.8.0.2"],
    ),
    "Tailscale beside the Wi-Fi": (
        [I("tailscale0", "100.101.102.103"), I("tailscale0", "fd7a:115c::1"), I("en0", "10.0.0.4")],
        {"10.0.0.4"},
        ["10.0.0.4", "100.101.102.103", "fd7a:115c::1"],
    ),
    "on an iPhone's hotspot": (
        [I("lo0", "127.0.0.1"), I("en0", "172.20.10.3"), I("bridge100", "192.168.64.1")],
        {"172.20.10.3"},
        ["172.20.10.3", "192.168.64.1"],
    ),
    "makes the hotspot itself, without internet": (
        [I("lo", "127.0.0.1"), I("wlan0", "10.42.0.1")],
        set(),
        ["10.42.0.1"],
    ),
    "no network": ([I("lo", "127.0.0.1"), I("lo", "::1"), I("eth0", "169.254.7.9")], set(), []),
    "rented server": (
        [I("eth0", "203.0.113.9"), I("eth1", "10.1.0.5"), I("docker0", "172.17.0.1")],
        {"203.0.113.9"},
        ["203.0.113.9", "10.1.0.5", "172.17.0.1"],
    ),
    "IPv6 only": (
        [I("eth0", "fe80::2%eth0"), I("eth0", "2001:db8:5::2"), I("eth0", "fd12::2")],
        {"2001:db8:5::2"},
        ["2001:db8:5::2", "fd12::2"],
    ),
    "virtual machines only, with nonsense": (
        [I("virbr0", "192.168.122.1"), I("eth0", "0.0.0.0"), I("eth1", "not an address")],
        set(),
        ["192.168.122.1"],
    ),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_room_comes_first(machine: str) -> None:
    found, defaults, expected = MACHINES[machine]
    assert ranked(found, defaults) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_the_order_of_the_interfaces_decides_only_between_equals(machine: str) -> None:
    found, defaults, expected = MACHINES[machine]
    assert set(ranked(reversed(found), defaults)) == set(expected)
    assert ranked(reversed(found), defaults)[:1] == expected[:1]


def test_an_address_is_shown_once_at_its_best() -> None:
    assert ranked([I("docker0", "192.168.1.2"), I("eth0", "192.168.1.2")]) == ["192.168.1.2"]


def test_this_machine_has_no_address_that_must_not_be_shown() -> None:
    for address in own():
        assert not address.startswith(("127.", "169.254.", "0.", "fe80"))


def test_ipv6_stands_in_brackets() -> None:
    assert netloc("fd00::2", 8765) == "[fd00::2]:8765"
    assert netloc("10.0.0.1", 8765) == "10.0.0.1:8765"
