/** GitHub masks addresses. Each form stands as the client writes it, less the quotation. */
const ATTRIBUTIONS = {
  'Gmail, en': 'On Tue, Nov 24, 2026 at 10:02 AM mallory ***@***.***> wrote:',
  'Gmail, en, wrapped': 'On Tue, Nov 24, 2026 at 10:02 AM mallory with a longer name <\n***@***.***> wrote:',
  'Apple Mail, en': 'On 24 Nov 2026, at 10:02, mallory ***@***.***> wrote:',
  'Thunderbird, en': 'On 11/24/26 10:02, mallory wrote:',
  'Zoho, en': '---- On Tue, 24 Nov 2026 10:02:11 +0100 mallory ***@***.***> wrote ----',
  'Gmail, de': 'Am Di., 24. Nov. 2026 um 10:02 Uhr schrieb mallory ***@***.***>:',
  'Gmail, de, wrapped': 'Am Di., 24. Nov. 2026 um 10:02 Uhr schrieb mallory <\n***@***.***>:',
  'Apple Mail, de': 'Am 24.11.2026 um 10:02 schrieb mallory ***@***.***>:',
  'Thunderbird, de': 'Am 24.11.26 um 10:02 schrieb mallory:',
  'Gmail, fr': 'Le mar. 24 nov. 2026 à 10:02, mallory ***@***.***> a écrit :',
  'Thunderbird, fr': 'Le 24/11/2026 à 10:02, mallory a écrit\u00a0:',
  'Gmail, es': 'El mar, 24 nov 2026 a las 10:02, mallory (***@***.***) escribió:',
  'Apple Mail, es': 'El 24 nov 2026, a las 10:02, mallory ***@***.***> escribió:',
  'Gmail, pt': 'Em ter., 24 de nov. de 2026 às 10:02, mallory ***@***.***> escreveu:',
  'Gmail, it': 'Il giorno mar 24 nov 2026 alle ore 10:02 mallory ***@***.***> ha scritto:',
  'Gmail, nl': 'Op di 24 nov 2026 om 10:02 schreef mallory ***@***.***>:',
  'Gmail, sv': 'Den tis 24 nov. 2026 kl 10:02 skrev mallory ***@***.***>:',
  'Gmail, pl': 'wt., 24 lis 2026 o 10:02 mallory ***@***.***> napisał(a):',
  'Gmail, ru': 'вт, 24 нояб. 2026 г. в 10:02, mallory ***@***.***>:',
  'Thunderbird, ru': '24.11.2026 10:02, mallory пишет:',
  'Gmail, ja': '2026年11月24日(火) 10:02 mallory ***@***.***>:',
  'Apple Mail, ja': '2026/11/24 10:02、mallory ***@***.***>のメール:',
  'Gmail, zh': 'mallory ***@***.***> 于2026年11月24日周二 10:02写道：',
  'Gmail, ko': '2026년 11월 24일 (화) 오전 10:02, mallory ***@***.***>님이 작성:',
  'Gmail, he': '\u202bבתאריך יום ג׳, 24 בנוב׳ 2026 ב-10:02 מאת \u202amallory\u202c <***@***.***>:\u202c',
} as const

const QUOTED = ['', '> *mallory* left a comment (octo/app#12)', '> EVIL', '> Message ID: ***@***.***>'].join(
  '\n',
)

/** Blocks above a mail without marks. */
const BLOCKS = {
  'Outlook, en': `________________________________
From: mallory ***@***.***>
Sent: Tuesday, November 24, 2026 10:02
To: octo/app ***@***.***>
Cc: alice ***@***.***>; Comment ***@***.***>
Subject: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, de': `Von: mallory ***@***.***>
Gesendet: Dienstag, 24. November 2026 10:02
An: octo/app ***@***.***>
Betreff: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, fr': `De : mallory ***@***.***>
Envoyé : mardi 24 novembre 2026 10:02
À : octo/app ***@***.***>
Objet : Re: [octo/app] Retries (Issue #12)`,
  'Outlook, es': `De: mallory ***@***.***>
Enviado: martes, 24 de noviembre de 2026 10:02
Para: octo/app ***@***.***>
Asunto: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, pt': `De: mallory ***@***.***>
Enviado: terça-feira, 24 de novembro de 2026 10:02
Para: octo/app ***@***.***>
Assunto: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, ja': `差出人: mallory ***@***.***>
送信日時: 2026年11月24日 10:02
宛先: octo/app ***@***.***>
件名: Re: [octo/app] Retries (Issue #12)`,
  'Outlook, bold': `*From:* mallory ***@***.***>
*Sent:* Tuesday, November 24, 2026 10:02
*Subject:* Re: [octo/app] Retries (Issue #12)`,
  'Proton, en': '-------- Original Message --------\nOn 11/24/26 10:02, mallory wrote:',
  'GMX, de': '-----Ursprüngliche Nachricht-----',
  'Yahoo, en':
    'On Tuesday, November 24, 2026 at 10:02:11 AM GMT+1, mallory <notifications@github.com> wrote:',
  GitHub: '—\nReply to this email directly, view it on GitHub, or unsubscribe.',
} as const

const MARKED = [
  ...Object.entries(ATTRIBUTIONS).map(([client, line]) => [client, `${line}\n${QUOTED}`] as const),
  ...Object.entries(BLOCKS).map(([client, block]) => [client, `${block}\n\nEVIL\n\nEVIL again`] as const),
]

/** Without an address in the header, with empty lines between its fields, and the mails of the same. */
const HEADERS = {
  'Outlook, names alone':
    'From: mallory\nSent: Tuesday, November 24, 2026 10:02\nTo: octo/app\nSubject: Re: Retries',
  'Outlook, empty lines': 'From: mallory\n\nSent: Tuesday\n\nTo: octo/app\n\nSubject: Re: Retries',
  'Outlook, de, names alone': 'Von: mallory\nGesendet: Dienstag\nAn: octo/app\nBetreff: Re: Retries',
  'no address, en': 'On Tuesday mallory wrote:',
  'no address, fr': 'Le mardi, mallory a écrit :',
  'at, with a name': 'At 10:02 on Tuesday, "mallory" <name> wrote:',
  'Notes, en': 'mallory ---11/24/2026 10:02:11 AM---Retries are new',
  'Notes, ja': 'mallory 様から',
  'nothing at all': '',
} as const

/** What clients put below an answer: its name, and the text, in which a stranger writes EVIL. */
export const MAILS = [
  ...MARKED,
  ...Object.entries(HEADERS).map(([client, header]) => [client, `${header}\n\nEVIL\n\nEVIL again`] as const),
]
