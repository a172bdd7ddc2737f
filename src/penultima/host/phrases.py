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
    "scan": "Escanea el código o abre el enlace",
    "same_wifi": "Los teléfonos tienen que estar en la misma red Wi-Fi.",
    "no_network": "Sin red: el enlace solo sirve en este computador.",
    "other": "Dirección {i} de {of}",
    "mesa": "Pantalla compartida: se ve la mesa, nunca una mano.",
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
    "key_mesa": "m pantalla compartida",
    "key_guests": "m enlace de jugadores",
    "key_other": "n otra dirección",
    "key_quit": "q salir",
    "port_moved": "El puerto {busy} está ocupado; uso el {port}.",
    "port_busy": "el puerto {port} está ocupado: cierra lo que lo usa, o elige otro con --port",
    "port_denied": "no me dejan usar el puerto {port}: elige uno mayor que 1023 con --port",
    "bind_bad": "esta máquina no tiene la dirección {host}: quita --host, o mira `ip addr`",
    "rules_bad": "reglas: {field}: {reason}",
    "not_built": "Falta la página del juego: `make client`, o instala otra vez con `pip install .`",
    "way_public": "Desde cualquier sitio.",
    "way_tunnel": "Desde cualquier sitio, por {name}, que puede leerlo.",
    "way_sealed": "Desde cualquier sitio, por {name}, que no lo lee.",
    "tunnel_moved": "{name} tiene otra dirección: manda el enlace nuevo, el de antes ya no sirve.",
    "tunnel_missing": "{name} no está instalado en esta máquina: instálalo ({home}), o usa otra "
    "entrada (docs/hosting.md)",
    "tunnel_slow": "{name} todavía no da una dirección ({why}). Sigo esperando.",
    "tunnel_died": "{name} se cerró ({why}). Lo abro otra vez en {seconds} s.",
    "tunnel_login_tailscale": "{name} está apagado o sin sesión: `tailscale up`, y empieza otra "
    "vez.",
    "tunnel_service_tailscale": "{name} no tiene su servicio en marcha: ábrelo, y empieza otra "
    "vez.",
    "tunnel_denied_tailscale": "{name} no te deja: `sudo tailscale set --operator=$USER`, y "
    "empieza otra vez.",
    "tunnel_enable_tailscale": "{name}: Funnel no está permitido en tu red. Permítelo en {url}; "
    "espero.",
    "tunnel_login_ngrok": "{name} no tiene tu cuenta: `ngrok config add-authtoken ...`, y empieza "
    "otra vez.",
    "tunnel_limit_ngrok": "{name} ya está abierto en otro lugar y tu plan no deja más: cierra el "
    "otro, y empieza otra vez.",
    "tls_unreadable": "no puedo leer {path}: {reason}",
    "tls_no_cert": "{path} no es un certificado en PEM: --tls-cert es el archivo que empieza con "
    "-----BEGIN CERTIFICATE-----",
    "tls_no_key": "en {path} no hay una llave privada en PEM que sirva: dala con --tls-key",
    "tls_mismatch": "{path} no es la llave de {cert}: da las dos de la misma vez",
    "tls_passphrase": "{path} tiene contraseña: quítasela con `openssl pkey -in {path} -out "
    "llave.pem`",
    "tls_expired": "El certificado venció el {when}: los teléfonos no entran. Renuévalo ({path}).",
    "tls_soon": "El certificado vence el {when}: renuévalo.",
    "tls_early": "El certificado vale desde el {when}: ¿está bien el reloj de esta máquina?",
    "tls_other": "El certificado no es para {names}: los teléfonos avisan antes de entrar.",
    "tls_renewed": "Certificado renovado.",
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
    "go_on": "Partida sin terminar ({code}, {when}): {players}. ¿Seguir con ella? [S/n] ",
    "goes_on": "Sigue la partida {code}: {players}. Los demás vuelven solos. Para empezar otra: "
    "--new",
    "kept": "La partida está guardada: `penultima` la continúa.",
    "resume_port": "el puerto {port} de esa partida está ocupado: cierra lo que lo usa, elige otro "
    "con --port (cambia el enlace), o empieza otra con --new",
    "run_elsewhere": "la mesa {code} ya está abierta en otro programa: ciérralo, o empieza otra "
    "con --new",
    "no_table": "no hay ninguna mesa {code} en {path}: mira `penultima tables`",
    "no_tables": "No hay ninguna mesa guardada.",
    "journal_newer": "{path} es de una Penúltima más nueva: usa esa, u otro archivo con --journal",
    "journal_foreign": "no es un diario de Penúltima",
    "journal_bad": "no puedo guardar en {path} ({reason}): elige otro archivo con --journal, o "
    "--no-journal",
    "journal_aside": "El diario estaba dañado: lo aparté como {path} y empecé otro.",
    "journal_broken": "la mesa {code} no se puede reconstruir: sus datos siguen en el diario",
    "disk_full": "No puedo guardar: ¿disco lleno? La partida está en pausa y sigue sola cuando "
    "haya sitio.",
    "disk_again": "Ya se puede guardar: la partida sigue.",
    "stun_silent": "Ningún servidor STUN responde ({servers}): quizá quien esté lejos no encuentre "
    "un camino directo. Sigo preguntando.",
    "exported": "Mesa {code}: {n} registros en {path}. Contiene las llaves de la mesa: no lo "
    "publiques.",
    "imported": "Mesa {code} importada. Para seguir con ella: penultima --resume {code}",
    "no_match_file": "{path} no es una partida exportada entera",
    "known_table": "la mesa {code} ya está en el diario",
    "club_runs": "un club ya usa {path}: ciérralo, o elige otro archivo con --journal",
    "opening_club": "abriendo el club …",
    "club_link": "Con ese enlace abres, ves y cierras mesas: no lo pases.",
    "club_room": "Hasta {most} mesas a la vez. Guardadas, con su enlace de siempre: {resting}.",
    "club_kept": "Las mesas están guardadas: `penultima club` las continúa con los mismos enlaces.",
    "club_key_bad": "{path} no es la llave de un club: recupérala, o borra el archivo (cambia el "
    "enlace del club, los de las mesas no)",
    "club_port": "el puerto {port} de los enlaces de este club está ocupado: cierra lo que lo usa, "
    "o elige otro con --port (cambian los enlaces)",
    "state_open": "sin terminar",
    "state_over": "terminada",
    "state_running": "abierta ahora",
    "state_broken": "dañada",
    "far_about": "Para amigos de lejos: sirve desde cualquier red.",
    "far_up": "Los de lejos ya pueden entrar: {server} conoce la mesa.",
    "far_unreachable": "Sin {server} ({reason}) no entra nadie nuevo de lejos. Reintento.",
    "far_taken": "{server}: otro usa la identidad de esta mesa. Reintento; o --new.",
    "far_refused": "{server} no nos acepta ({reason}). Reintento; u otro --peer-server.",
    "far_nonsense": "{server} no es un PeerServer: revisa --peer-server. La partida sigue.",
    "far_silent": "{server} no pasa los mensajes. Reintento; u otro --peer-server.",
    "far_flood": "{server} manda demasiado: lo leo despacio; la partida no lo nota.",
    "far_strangers": "Llamadas sin el enlace de esta mesa, sin respuesta: {n}.",
    "far_no_site": "--peer necesita la página en alguna dirección https://. En un minuto:\n"
    "  1. `penultima site uno` la escribe: arrastra la carpeta uno a app.netlify.com/drop, o "
    "súbela a GitHub Pages.\n"
    "  2. `penultima --peer --site https://SU-DIRECCIÓN` (o PENULTIMA_SITE, para siempre).",
    "dr_page": "La página del juego está.",
    "dr_no_address": "Esta máquina no tiene red: el enlace solo sirve aquí.",
    "dr_no_address_do": "Conéctala a la Wi-Fi, o comparte la red de un teléfono.",
    "dr_local": "El enlace sirve solo en esta máquina: --host {bind} no deja entrar a nadie más.",
    "dr_local_do": "Quita --host, o nombra con --public-url el proxy que lleva hasta aquí.",
    "dr_addresses": "Dirección para el enlace: {best} (todas: {all}).",
    "dr_port_free": "El puerto {port} está libre y se puede usar.",
    "dr_port_ours": "En el puerto {port} ya hay una Penúltima abierta.",
    "dr_port_busy": "El puerto {port} lo usa otro programa.",
    "dr_port_busy_do": "Ciérralo, o elige otro con --port.",
    "dr_wall_none": "No veo ningún cortafuegos en esta máquina.",
    "dr_wall_open": "{name} deja pasar el puerto {port}.",
    "dr_wall_closed": "{name} cierra el puerto {port}.",
    "dr_wall_unknown": "{name} puede cerrar el puerto {port}; sin permisos no se ve. Si ningún "
    "teléfono entra:",
    "dr_certificate": "El certificado vale hasta el {when}, para {names}.",
    "dr_tunnel": "{name} está instalado ({path}).",
    "dr_clock": "El reloj coincide con {who} ({now}).",
    "dr_clock_alone": "Reloj: {now}. No hay con quién compararlo.",
    "dr_clock_off": "El reloj difiere {seconds} s del de {who}: las credenciales de TURN y los "
    "certificados fallan.",
    "dr_clock_old": "El reloj está mal: {now}.",
    "dr_clock_do": "Ponlo en hora: actívale la hora automática.",
    "dr_public": "{url} llega hasta esta máquina.",
    "dr_public_running": "{url} llega hasta una Penúltima abierta.",
    "dr_public_cert": "El certificado de {url} no vale para un teléfono.",
    "dr_public_cert_do": "Renuévalo, y sirve también los intermedios.",
    "dr_public_silent": "{url} no llega hasta aquí ({why}).",
    "dr_public_other": "En {url} responde otro programa ({why}).",
    "dr_public_silent_do": "¿Apuntan el router o el proxy al puerto {port} de esta máquina? "
    "Algunos routers no dejan usar su dirección pública desde dentro: prueba también con datos "
    "móviles.",
    "dr_nat_none": "Sin NAT: {outer} es de esta máquina.",
    "dr_nat_cone": "El router ({outer}) permite el camino directo con amigos de lejos.",
    "dr_nat_unknown": "El router es {outer}. Con un solo servidor STUN no se sabe qué clase de NAT "
    "es.",
    "dr_nat_symmetric": "El router ({outer}) tiene NAT simétrico: con muchos amigos de lejos no "
    "habrá camino directo.",
    "dr_nat_symmetric_do": "Añade un servidor TURN (docs/coturn.md).",
    "dr_nat_blocked": "Ningún servidor STUN responde: {why}",
    "dr_nat_blocked_do": "¿Hay internet? ¿Cierra la red el UDP? Elige otro con --stun.",
    "dr_turn": "{server} da un relevo ({ms} ms).",
    "dr_turn_no": "{server} no da un relevo: {why}.",
    "dr_turn_do": "¿Está en marcha y abierto en su cortafuegos? Mira docs/coturn.md.",
    "dr_turn_key_do": "¿El mismo secreto en los dos lados, y los relojes en hora? Mira "
    "docs/coturn.md.",
    "dr_peer": "El PeerServer {server} responde.",
    "dr_peer_no": "El PeerServer {server} no responde bien ({why}).",
    "dr_peer_do": "¿Hay internet? Elige otro con --peer-server.",
    "dr_asked": "Pregunté a: {who}.",
    "dr_asked_nobody": "No pregunté a nadie de fuera.",
    "dr_well": "Todo lo que se puede ver desde aquí está bien.",
    "dr_ill": "Hay algo que arreglar.",
}
_PT: Final = {
    "opening": "abrindo a mesa …",
    "title": "Mesa de Penúltima",
    "scan": "Escaneie o código ou abra o link",
    "same_wifi": "Os celulares precisam estar na mesma rede Wi-Fi.",
    "no_network": "Sem rede: o link só serve neste computador.",
    "other": "Endereço {i} de {of}",
    "mesa": "Tela compartilhada: mostra a mesa, nunca uma mão.",
    "host": "seu link: você manda",
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
    "key_mesa": "m tela compartilhada",
    "key_guests": "m link dos jogadores",
    "key_other": "n outro endereço",
    "key_quit": "q sair",
    "port_moved": "A porta {busy} está ocupada; uso a {port}.",
    "port_busy": "a porta {port} está ocupada: feche o que a usa, ou escolha outra com --port",
    "port_denied": "não posso usar a porta {port}: escolha uma maior que 1023 com --port",
    "bind_bad": "esta máquina não tem o endereço {host}: tire --host, ou veja `ip addr`",
    "rules_bad": "regras: {field}: {reason}",
    "not_built": "Falta a página do jogo: `make client`, ou instale de novo com `pip install .`",
    "way_public": "De qualquer lugar.",
    "way_tunnel": "De qualquer lugar, por {name}, que pode ler.",
    "way_sealed": "De qualquer lugar, por {name}, que não lê.",
    "tunnel_moved": "{name} tem outro endereço: mande o link novo, o de antes já não serve.",
    "tunnel_missing": "{name} não está instalado nesta máquina: instale ({home}), ou use outra "
    "entrada (docs/hosting.md)",
    "tunnel_slow": "{name} ainda não deu um endereço ({why}). Continuo esperando.",
    "tunnel_died": "{name} fechou ({why}). Abro de novo em {seconds} s.",
    "tunnel_login_tailscale": "{name} está desligado ou sem sessão: `tailscale up`, e comece de "
    "novo.",
    "tunnel_service_tailscale": "{name} está sem o serviço dele: abra-o, e comece de novo.",
    "tunnel_denied_tailscale": "{name} não deixa: `sudo tailscale set --operator=$USER`, e comece "
    "de novo.",
    "tunnel_enable_tailscale": "{name}: Funnel não está permitido na sua rede. Permita em {url}; "
    "estou esperando.",
    "tunnel_login_ngrok": "{name} está sem a sua conta: `ngrok config add-authtoken ...`, e comece "
    "de novo.",
    "tunnel_limit_ngrok": "{name} já está aberto em outro lugar e o seu plano não deixa mais: "
    "feche o outro, e comece de novo.",
    "tls_unreadable": "não consigo ler {path}: {reason}",
    "tls_no_cert": "{path} não é um certificado em PEM: --tls-cert é o arquivo que começa com "
    "-----BEGIN CERTIFICATE-----",
    "tls_no_key": "em {path} não há uma chave privada em PEM que sirva: dê com --tls-key",
    "tls_mismatch": "{path} não é a chave de {cert}: dê as duas da mesma vez",
    "tls_passphrase": "{path} tem senha: tire com `openssl pkey -in {path} -out chave.pem`",
    "tls_expired": "O certificado venceu em {when}: os celulares não entram. Renove ({path}).",
    "tls_soon": "O certificado vence em {when}: renove.",
    "tls_early": "O certificado vale a partir de {when}: o relógio desta máquina está certo?",
    "tls_other": "O certificado não é para {names}: os celulares avisam antes de entrar.",
    "tls_renewed": "Certificado renovado.",
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
    "go_on": "Partida não terminada ({code}, {when}): {players}. Continuar? [S/n] ",
    "goes_on": "A partida {code} continua: {players}. Os outros voltam sozinhos. Para começar "
    "outra: --new",
    "kept": "A partida está guardada: `penultima` a continua.",
    "resume_port": "a porta {port} dessa partida está ocupada: feche o que a usa, escolha outra "
    "com --port (o link muda), ou comece outra com --new",
    "run_elsewhere": "a mesa {code} já está aberta em outro programa: feche-o, ou comece outra com "
    "--new",
    "no_table": "não há nenhuma mesa {code} em {path}: veja `penultima tables`",
    "no_tables": "Não há nenhuma mesa guardada.",
    "journal_newer": "{path} é de uma Penúltima mais nova: use essa, ou outro arquivo com "
    "--journal",
    "journal_foreign": "não é um diário de Penúltima",
    "journal_bad": "não posso guardar em {path} ({reason}): escolha outro arquivo com --journal, "
    "ou --no-journal",
    "journal_aside": "O diário estava danificado: separei-o como {path} e comecei outro.",
    "journal_broken": "a mesa {code} não pode ser reconstruída: seus dados continuam no diário",
    "disk_full": "Não consigo guardar: disco cheio? A partida está em pausa e continua sozinha "
    "quando houver espaço.",
    "disk_again": "Já consigo guardar: a partida continua.",
    "stun_silent": "Nenhum servidor STUN responde ({servers}): talvez quem está longe não encontre "
    "um caminho direto. Continuo perguntando.",
    "exported": "Mesa {code}: {n} registros em {path}. Contém as chaves da mesa: não publique.",
    "imported": "Mesa {code} importada. Para continuar: penultima --resume {code}",
    "no_match_file": "{path} não é uma partida exportada inteira",
    "known_table": "a mesa {code} já está no diário",
    "club_runs": "um clube já usa {path}: feche-o, ou escolha outro arquivo com --journal",
    "opening_club": "abrindo o clube …",
    "club_link": "Com esse link você abre, vê e fecha mesas: não o passe adiante.",
    "club_room": "Até {most} mesas ao mesmo tempo. Guardadas, com o link de sempre: {resting}.",
    "club_kept": "As mesas estão guardadas: `penultima club` as continua com os mesmos links.",
    "club_key_bad": "{path} não é a chave de um clube: recupere-a, ou apague o arquivo (muda o "
    "link do clube, os das mesas não)",
    "club_port": "a porta {port} dos links deste clube está ocupada: feche o que a usa, ou escolha "
    "outra com --port (os links mudam)",
    "state_open": "não terminada",
    "state_over": "terminada",
    "state_running": "aberta agora",
    "state_broken": "danificada",
    "far_about": "Para amigos longe: serve de qualquer rede.",
    "far_up": "Quem está longe já pode entrar: {server} conhece a mesa.",
    "far_unreachable": "Sem {server} ({reason}) ninguém novo entra de longe. Tento de novo.",
    "far_taken": "{server}: outra pessoa usa a identidade da mesa. Tento de novo; ou --new.",
    "far_refused": "{server} não nos aceita ({reason}). Tento de novo; ou outro --peer-server.",
    "far_nonsense": "{server} não é um PeerServer: confira --peer-server. A partida continua.",
    "far_silent": "{server} não repassa mensagens. Tento de novo; ou outro --peer-server.",
    "far_flood": "{server} manda demais: leio devagar; a partida não percebe.",
    "far_strangers": "Chamadas sem o link desta mesa, sem resposta: {n}.",
    "far_no_site": "--peer precisa da página em algum endereço https://. Em um minuto:\n"
    "  1. `penultima site uno` escreve a página: arraste a pasta uno para app.netlify.com/drop, ou "
    "ponha-a no GitHub Pages.\n"
    "  2. `penultima --peer --site https://O-ENDEREÇO` (ou PENULTIMA_SITE, para sempre).",
    "dr_page": "A página do jogo está aqui.",
    "dr_no_address": "Esta máquina está sem rede: o link só serve aqui.",
    "dr_no_address_do": "Conecte-a ao Wi-Fi, ou compartilhe a rede de um celular.",
    "dr_local": "O link só serve nesta máquina: --host {bind} não deixa mais ninguém entrar.",
    "dr_local_do": "Tire --host, ou indique com --public-url o proxy que leva até aqui.",
    "dr_addresses": "Endereço para o link: {best} (todos: {all}).",
    "dr_port_free": "A porta {port} está livre e pode ser usada.",
    "dr_port_ours": "Na porta {port} já há uma Penúltima aberta.",
    "dr_port_busy": "A porta {port} é usada por outro programa.",
    "dr_port_busy_do": "Feche-o, ou escolha outra com --port.",
    "dr_wall_none": "Não vejo nenhum firewall nesta máquina.",
    "dr_wall_open": "{name} deixa passar a porta {port}.",
    "dr_wall_closed": "{name} fecha a porta {port}.",
    "dr_wall_unknown": "{name} pode fechar a porta {port}; sem permissão não dá para ver. Se "
    "nenhum celular entrar:",
    "dr_certificate": "O certificado vale até {when}, para {names}.",
    "dr_tunnel": "{name} está instalado ({path}).",
    "dr_clock": "O relógio confere com {who} ({now}).",
    "dr_clock_alone": "Relógio: {now}. Não há com quem comparar.",
    "dr_clock_off": "O relógio difere {seconds} s do de {who}: as credenciais de TURN e os "
    "certificados falham.",
    "dr_clock_old": "O relógio está errado: {now}.",
    "dr_clock_do": "Acerte-o: ative a hora automática.",
    "dr_public": "{url} chega até esta máquina.",
    "dr_public_running": "{url} chega até uma Penúltima aberta.",
    "dr_public_cert": "O certificado de {url} não vale para um celular.",
    "dr_public_cert_do": "Renove-o, e sirva também os intermediários.",
    "dr_public_silent": "{url} não chega até aqui ({why}).",
    "dr_public_other": "Em {url} responde outro programa ({why}).",
    "dr_public_silent_do": "O roteador ou o proxy aponta para a porta {port} desta máquina? Alguns "
    "roteadores não deixam usar o endereço público de dentro: teste também com dados móveis.",
    "dr_nat_none": "Sem NAT: {outer} é desta máquina.",
    "dr_nat_cone": "O roteador ({outer}) permite o caminho direto com amigos longe.",
    "dr_nat_unknown": "O roteador é {outer}. Com um só servidor STUN não dá para saber que tipo de "
    "NAT é.",
    "dr_nat_symmetric": "O roteador ({outer}) tem NAT simétrico: com muitos amigos longe não "
    "haverá caminho direto.",
    "dr_nat_symmetric_do": "Acrescente um servidor TURN (docs/coturn.md).",
    "dr_nat_blocked": "Nenhum servidor STUN responde: {why}",
    "dr_nat_blocked_do": "Há internet? A rede fecha o UDP? Escolha outro com --stun.",
    "dr_turn": "{server} dá um relay ({ms} ms).",
    "dr_turn_no": "{server} não dá um relay: {why}.",
    "dr_turn_do": "Está ligado e aberto no firewall dele? Veja docs/coturn.md.",
    "dr_turn_key_do": "O mesmo segredo dos dois lados, e os relógios certos? Veja docs/coturn.md.",
    "dr_peer": "O PeerServer {server} responde.",
    "dr_peer_no": "O PeerServer {server} não responde bem ({why}).",
    "dr_peer_do": "Há internet? Escolha outro com --peer-server.",
    "dr_asked": "Perguntei a: {who}.",
    "dr_asked_nobody": "Não perguntei a ninguém de fora.",
    "dr_well": "Tudo o que dá para ver daqui está bem.",
    "dr_ill": "Há algo a consertar.",
}
_EN: Final = {
    "opening": "opening the table …",
    "title": "Penúltima table",
    "scan": "Scan the code or open the link",
    "same_wifi": "Phones have to be on the same Wi-Fi.",
    "no_network": "No network: the link works on this computer only.",
    "other": "Address {i} of {of}",
    "mesa": "Shared screen: it shows the table, never a hand.",
    "host": "your link: host controls",
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
    "key_mesa": "m shared screen",
    "key_guests": "m players' link",
    "key_other": "n another address",
    "key_quit": "q quit",
    "port_moved": "Port {busy} is busy; using {port}.",
    "port_busy": "port {port} is busy: close what uses it, or choose another with --port",
    "port_denied": "may not use port {port}: choose one above 1023 with --port",
    "bind_bad": "this machine does not have the address {host}: leave --host out, or see `ip addr`",
    "rules_bad": "rules: {field}: {reason}",
    "not_built": "The game's page is missing: `make client`, or install again with `pip install .`",
    "way_public": "From anywhere.",
    "way_tunnel": "From anywhere, through {name}, which can read it.",
    "way_sealed": "From anywhere, through {name}, which cannot read it.",
    "tunnel_moved": "{name} has another address: send the new link, the old one is of no use now.",
    "tunnel_missing": "{name} is not installed on this machine: install it ({home}), or take "
    "another way in (docs/hosting.md)",
    "tunnel_slow": "{name} has not given an address yet ({why}). Still waiting.",
    "tunnel_died": "{name} ended ({why}). Starting it again in {seconds} s.",
    "tunnel_login_tailscale": "{name} is off or not logged in: `tailscale up`, then start again.",
    "tunnel_service_tailscale": "{name}'s service is not running: start it, then start again.",
    "tunnel_denied_tailscale": "{name} does not let you: `sudo tailscale set --operator=$USER`, "
    "then start again.",
    "tunnel_enable_tailscale": "{name}: Funnel is not allowed in your network. Allow it at {url}; "
    "it waits.",
    "tunnel_login_ngrok": "{name} does not know your account: `ngrok config add-authtoken ...`, "
    "then start again.",
    "tunnel_limit_ngrok": "{name} is open elsewhere and your plan allows no more: close the other "
    "one, then start again.",
    "tls_unreadable": "cannot read {path}: {reason}",
    "tls_no_cert": "{path} is no certificate in PEM: --tls-cert is the file that begins with "
    "-----BEGIN CERTIFICATE-----",
    "tls_no_key": "there is no usable private key in PEM in {path}: give it with --tls-key",
    "tls_mismatch": "{path} is not the key of {cert}: give the two that belong together",
    "tls_passphrase": "{path} has a passphrase: take it off with `openssl pkey -in {path} -out "
    "key.pem`",
    "tls_expired": "The certificate expired on {when}: phones do not get in. Renew it ({path}).",
    "tls_soon": "The certificate expires on {when}: renew it.",
    "tls_early": "The certificate is valid from {when}: is this machine's clock right?",
    "tls_other": "The certificate is not for {names}: phones warn before they let anybody in.",
    "tls_renewed": "The certificate was renewed.",
    "hint": "No phone yet: same Wi-Fi, VPN off, firewall open for port {port}?",
    "closing": "Closing the table …",
    "closed": "Table closed.",
    "joined": "{name} joined",
    "left": "{name} left",
    "is_away": "{name}: connection lost",
    "is_back": "{name} is back",
    "round_started": "Round {n}",
    "scores": "Scores: {scores}",
    "go_on": "Unfinished match ({code}, {when}): {players}. Go on with it? [Y/n] ",
    "goes_on": "Match {code} goes on: {players}. The others come back by themselves. To begin "
    "anew: --new",
    "kept": "The match is kept: `penultima` goes on with it.",
    "resume_port": "port {port} of that match is busy: close what uses it, choose another with "
    "--port (the link changes), or begin anew with --new",
    "run_elsewhere": "table {code} is open in another program: close that, or begin anew with "
    "--new",
    "no_table": "there is no table {code} in {path}: see `penultima tables`",
    "no_tables": "No table is kept.",
    "journal_newer": "{path} is of a newer Penúltima: use that one, or another file with --journal",
    "journal_foreign": "it is no journal of Penúltima",
    "journal_bad": "cannot keep anything in {path} ({reason}): name another file with --journal, "
    "or --no-journal",
    "journal_aside": "The journal was damaged: it is set aside as {path}, and a new one begun.",
    "journal_broken": "table {code} cannot be restored: its records stay in the journal",
    "disk_full": "Cannot save: is the disk full? The match is paused and goes on by itself when "
    "there is room.",
    "disk_again": "Saving works again: the match goes on.",
    "stun_silent": "No STUN server answers ({servers}): friends far away may find no direct way. "
    "Asking on.",
    "exported": "Table {code}: {n} records in {path}. The table's keys are in it: do not publish "
    "it.",
    "imported": "Table {code} is taken in. To go on with it: penultima --resume {code}",
    "no_match_file": "{path} is no whole exported match",
    "known_table": "table {code} is in the journal already",
    "club_runs": "a club uses {path}: close it, or name another file with --journal",
    "opening_club": "opening the club …",
    "club_link": "That link opens, shows and closes tables: keep it to yourself.",
    "club_room": "Up to {most} tables at a time. Kept, under their old links: {resting}.",
    "club_kept": "The tables are kept: `penultima club` goes on with them, under the same links.",
    "club_key_bad": "{path} is not the key of a club: bring it back, or delete it (the club's "
    "link changes, those of the tables do not)",
    "club_port": "port {port} of this club's links is busy: close what uses it, or choose another "
    "with --port (the links change)",
    "state_open": "unfinished",
    "state_over": "over",
    "state_running": "open now",
    "state_broken": "damaged",
    "far_about": "For friends far away: works from any network.",
    "far_up": "Friends far away can come in: {server} knows this table.",
    "far_unreachable": "No {server} ({reason}): nobody new comes in from far away. Retrying.",
    "far_taken": "{server}: somebody else uses this table's identity. Retrying; or --new.",
    "far_refused": "{server} does not take us ({reason}). Retrying; or another --peer-server.",
    "far_nonsense": "{server} is no PeerServer: check --peer-server. The match goes on.",
    "far_silent": "{server} hands no messages on. Retrying; or another --peer-server.",
    "far_flood": "{server} sends far too much: read slowly; the match does not notice.",
    "far_strangers": "Calls without this table's link, left unanswered: {n}.",
    "far_no_site": "--peer needs the page at some https:// address. In a minute:\n"
    "  1. `penultima site uno` writes it: drag the folder uno onto app.netlify.com/drop, or put it "
    "on GitHub Pages.\n"
    "  2. `penultima --peer --site https://ITS-ADDRESS` (or PENULTIMA_SITE, for always).",
    "dr_page": "The game's page is there.",
    "dr_no_address": "This machine has no network: the link works here only.",
    "dr_no_address_do": "Connect it to the Wi-Fi, or share the network of a phone.",
    "dr_local": "The link works on this machine only: --host {bind} lets nobody else in.",
    "dr_local_do": "Leave --host out, or name with --public-url the proxy that leads here.",
    "dr_addresses": "Address for the link: {best} (all: {all}).",
    "dr_port_free": "Port {port} is free and may be used.",
    "dr_port_ours": "A Penúltima is open on port {port} already.",
    "dr_port_busy": "Another program uses port {port}.",
    "dr_port_busy_do": "Close it, or choose another with --port.",
    "dr_wall_none": "No firewall to be seen on this machine.",
    "dr_wall_open": "{name} lets port {port} through.",
    "dr_wall_closed": "{name} closes port {port}.",
    "dr_wall_unknown": "{name} may close port {port}; without rights that cannot be seen. If no "
    "phone gets in:",
    "dr_certificate": "The certificate is good until {when}, for {names}.",
    "dr_tunnel": "{name} is installed ({path}).",
    "dr_clock": "The clock agrees with {who} ({now}).",
    "dr_clock_alone": "Clock: {now}. There is nobody to compare it with.",
    "dr_clock_off": "The clock is {seconds} s away from that of {who}: TURN credentials and "
    "certificates fail.",
    "dr_clock_old": "The clock is wrong: {now}.",
    "dr_clock_do": "Set it: turn on automatic time.",
    "dr_public": "{url} leads to this machine.",
    "dr_public_running": "{url} leads to a Penúltima that is open.",
    "dr_public_cert": "The certificate of {url} is no good for a phone.",
    "dr_public_cert_do": "Renew it, and serve the intermediate ones as well.",
    "dr_public_silent": "{url} does not lead here ({why}).",
    "dr_public_other": "Another program answers at {url} ({why}).",
    "dr_public_silent_do": "Does the router or proxy point to port {port} of this machine? Some "
    "routers refuse their public address from inside: try with mobile data too.",
    "dr_nat_none": "No NAT: {outer} is this machine itself.",
    "dr_nat_cone": "The router ({outer}) allows a direct way to friends far away.",
    "dr_nat_unknown": "The router is {outer}. With one STUN server alone the kind of NAT cannot be "
    "told.",
    "dr_nat_symmetric": "The router ({outer}) has a symmetric NAT: there will be no direct way to "
    "many friends.",
    "dr_nat_symmetric_do": "Add a TURN server (docs/coturn.md).",
    "dr_nat_blocked": "No STUN server answers: {why}",
    "dr_nat_blocked_do": "Is there internet? Does the network close UDP? Choose another with "
    "--stun.",
    "dr_turn": "{server} gives a relay ({ms} ms).",
    "dr_turn_no": "{server} gives no relay: {why}.",
    "dr_turn_do": "Is it running, and open in its firewall? See docs/coturn.md.",
    "dr_turn_key_do": "The same secret on both sides, and both clocks right? See docs/coturn.md.",
    "dr_peer": "The PeerServer {server} answers.",
    "dr_peer_no": "The PeerServer {server} does not answer well ({why}).",
    "dr_peer_do": "Is there internet? Choose another with --peer-server.",
    "dr_asked": "Asked: {who}.",
    "dr_asked_nobody": "Nobody outside was asked.",
    "dr_well": "All that can be seen from here is well.",
    "dr_ill": "There is something to mend.",
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
