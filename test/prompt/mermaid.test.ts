import { describe, expect, test } from 'vitest'
import { labelsOf } from '../../src/prompt/mermaid.ts'
import { processorMs } from '../helpers/processor-time.ts'

const SEEN: Readonly<Record<string, readonly [source: string, ...labels: string[]]>> = {
  'a flowchart': [
    'graph TD\n  A[Client] -->|asks| B(Server)\n  B --> C{Is it open?}',
    'Client',
    'asks',
    'Server',
    'Is it open?',
  ],
  'one line': ['graph LR; A[One]-->B[Two]; B-->C;', 'One', 'Two', 'C'],
  'nodes without labels': ['flowchart LR\nclient --> server --> data-base', 'client', 'server', 'data-base'],
  'quoted labels': [
    'flowchart LR\nA["GET /v1 (new)"] -- yes, re-try --> B[["Queue"]]',
    'GET /v1 (new)',
    'yes, re-try',
    'Queue',
  ],
  'other links': [
    'graph TD\nA -.-> B\nA ==>|thick| C\nA ~~~ D\nA -. dotted .-> E\nA == two ==> F & G',
    'A',
    'B',
    'thick',
    'C',
    'D',
    'dotted',
    'E',
    'two',
    'F',
    'G',
  ],
  subgraphs: [
    'flowchart TB\nsubgraph one [The first]\ndirection LR\nA\nend\nsubgraph The second\nB\nend',
    'The first',
    'A',
    'The second',
    'B',
  ],
  'a label that comes later': ['graph TD\nA --> B\nA[Start]', 'Start', 'B'],
  'a break in a label': [
    'graph TD\nA[first<br/>second] --> B["third\\nfourth"]',
    'first second',
    'third fourth',
  ],
  'other scripts': ['graph TD\n開始[はじめ] --> конец', 'はじめ', 'конец'],
  'a title': ['---\ntitle: "How it works"\n---\ngraph TD\nA', 'How it works', 'A'],
  'light boxes': [
    'graph TD\nA[Seen]:::warm --> B\nclassDef warm fill:#f9f,stroke:#333,stroke-width:4px\nstyle B fill:#000,color:#fff',
    'Seen',
    'B',
  ],
  'a sequence': [
    'sequenceDiagram\n  autonumber\n  participant A as Alice\n  actor Bob\n  A->>+Bob: Hello!\n  Bob-->>-A: Hi\n  Note over A,Bob: They talk\n  loop Each day\n  A-)Bob: Ping\n  end',
    ...['Alice', 'Bob', 'Hello!', 'Hi', 'They talk', 'Each day', 'Ping'],
  ],
  states: [
    'stateDiagram-v2\n[*] --> Idle\nIdle --> Busy : start\nstate "Waits for a person" as Wait\nBusy --> Wait\nIdle : does nothing\nnote right of Busy\nIt works\nhard\nend note',
    ...['start', 'Busy', 'Waits for a person', 'does nothing', 'It works hard'],
  ],
  'boxes and links with styles': [
    'graph TD\nA[Seen] -->|asks| B:::loud\nstyle A fill:#fff\nclassDef loud fill:#000,color:#fff\nlinkStyle 0 stroke:#f00,color:#333',
    ...['Seen', 'asks', 'B'],
  ],
  'a class that one thing has twice': [
    'graph TD\nclassDef a fill:#000,color:#fff\nA[Seen]:::a --> B\nA:::a --> C',
    ...['Seen', 'B', 'C'],
  ],
  'a style that is whole in another theme': [
    "%%{init: {'theme': 'dark'}}%%\ngraph TD\nA[Seen]\nstyle A fill:#fff,color:#000",
    'Seen',
  ],
  'a pie': ['pie showData title Pets\n"Dogs" : 386\n"Cats" : 85.9', 'Pets', 'Dogs', 'Cats'],
}

const EVIL: Readonly<Record<string, string>> = {
  'a comment': 'graph TD\n%% EVIL\nA[Seen] --> B\n  %% EVIL',
  'a directive': "%%{init: {'theme': 'forest', 'EVIL': 'EVIL'}}%%\ngraph TD\nA[Seen] --> B",
  'a directive of several lines': "%%{\n init: {\n 'EVIL': 'EVIL' }\n}%%\ngraph TD\nA[Seen] --> B",
  'an id': 'graph TD\nEVIL[Seen] --> B',
  'an earlier label': 'graph TD\nA[EVIL] --> B\nA[Seen]',
  'the name of a sign': 'graph TD\nA["fa:fa-EVIL Seen"]',
  'the id of a part': 'graph TD\nsubgraph EVIL [Seen]\nA\nend',
  'a tooltip': 'graph TD\nA[Seen] --> B\nclick A "https://example.com/EVIL" "EVIL"',
  'what screen readers get':
    'graph TD\naccTitle: EVIL\naccDescr: EVIL\naccDescr {\nEVIL\nEVIL }\nA[Seen] --> B',
  settings: '---\ntitle: Seen\nconfig:\n  EVIL: EVIL\n---\ngraph TD\nA --> B',
  'a comment in a sequence': 'sequenceDiagram\nA->>B: Seen # EVIL\nA->>B: Seen %% but seen',
  'the name of an actor': 'sequenceDiagram\nparticipant EVIL as Seen\nEVIL->>B: hello',
  'a menu of an actor': 'sequenceDiagram\nlinks A: {"EVIL": "https://example.com/EVIL"}\nA->>B: Seen',
  'the id of a state': 'stateDiagram-v2\nstate "Seen" as EVIL\nEVIL --> B',
  'the id of a fork': 'stateDiagram-v2\nEVIL --> Seen\nstate EVIL <<fork>>',
  'the id of a state with a description': 'stateDiagram-v2\nEVIL : Seen',
}

const UNKNOWN: Readonly<Record<string, string>> = {
  'text of the color of its box': 'graph TD\nA[EVIL] --> B\nstyle A fill:#333',
  'text without a color': 'graph TD\nA[EVIL]:::gone\nclassDef gone color:transparent',
  'text of a class that is not there': 'graph TD\nA[EVIL]:::gone',
  'a class for some': 'graph TD\nA[EVIL] --> B\nclass A,B gone',
  'a style that hides': 'graph TD\nA[EVIL]\nstyle A opacity:0',
  'a style for all': 'graph TD\nA[EVIL]\nclassDef default display:none',
  'a style of two values': 'graph TD\nA[EVIL]\nstyle A stroke:#333,font-size:0px',
  'a link style': 'graph TD\nA -->|EVIL| B\nlinkStyle 0 color:#fff',
  'a style behind another statement': 'graph TD\nA[EVIL]; style A color:#ececff',
  'a style in the first line': 'graph TD; A[EVIL]; style A color:#ececff',
  'a class behind another statement': 'graph TD\nA[EVIL]:::gone; classDef gone color:#ececff',
  'a link style behind another statement': 'graph TD\nA -->|EVIL| B; linkStyle 0 color:#fff',
  'two classes that hide together':
    'graph TD\nclassDef a fill:#777,color:#fff\nclassDef b color:#777\nA[EVIL]:::a\nclass A b',
  'a class and a style': 'graph TD\nclassDef a fill:#777,color:#fff\nA[EVIL]:::a\nstyle A color:#777',
  'two styles of its own': 'graph TD\nA[EVIL]\nstyle A fill:#777,color:#fff\nstyle A color:#777',
  'a style beside that of all':
    'graph TD\nclassDef default fill:#777,color:#fff\nA[EVIL]\nstyle A color:#777',
  'a class that comes twice': 'graph TD\nA[EVIL]:::a\nclassDef a fill:#777,color:#fff\nclassDef a color:#777',
  'two classes of a state':
    'stateDiagram-v2\nclassDef a fill:#777,color:#fff\nclassDef b color:#777\n[*] --> EVIL:::a\nclass EVIL b',
  'a link style with a background that its text has not':
    'graph TD\nA -->|EVIL| B\nlinkStyle 0 fill:#000,color:#fff',
  'a color that another theme has behind it':
    "%%{init: {'theme': 'dark'}}%%\ngraph TD\nA[EVIL]\nstyle A color:#333",
  'a background under the text of another theme':
    '---\nconfig:\n  theme: dark\n---\ngraph TD\nA[EVIL]\nstyle A fill:#ccc',
  'a text on a link that is not seen': 'graph TD\nA ~~~|EVIL| B',
  'a part of nothing': 'pie\n"EVIL" : 0.0\n"Cats" : 3',
  'variables of a theme': "%%{init: {'themeVariables': {'primaryTextColor': '#fff'}}}%%\ngraph TD\nA[EVIL]",
  'CSS of a theme': '---\nconfig:\n  themeCSS: ".label { display: none }"\n---\ngraph TD\nA[EVIL]',
  'markup in a label': 'graph TD\nA["<span style=\'display:none\'>EVIL</span>"]',
  'a formula': 'graph TD\nA["$$\\phantom{EVIL}$$"]',
  'a box behind a sequence': 'sequenceDiagram\nrect rgb(0, 0, 0)\nA->>B: EVIL\nend',
  'a statement that is not known': 'graph TD\nA@{ shape: text, label: "EVIL" }',
  'an edge with an id': 'graph TD\nA EVIL@--> B',
  'a comment behind a statement': 'graph TD\nA --> B %% EVIL',
  'front matter without an end': '---\ntitle: EVIL\ngraph TD\nA',
  'another kind': 'mindmap\n  root((EVIL))',
  'no kind': 'EVIL',
  nothing: '',
}

describe('4.2 of a diagram, what its picture shows as text', () => {
  test.each(Object.entries(SEEN))('%s', (_, [source, ...labels]) => {
    expect(labelsOf(source)?.toSorted()).toEqual(labels.toSorted())
    expect(labelsOf(source.replaceAll('\n', '\r\n'))).toEqual(labelsOf(source))
  })

  test.each(Object.entries(EVIL))('without %s', (_, source) => {
    expect(labelsOf(source)).toContain('Seen')
    expect(labelsOf(source)?.join()).not.toContain('EVIL')
  })

  test.each(Object.entries(UNKNOWN))('nothing where it has %s', (_, source) => {
    expect(labelsOf(source)).toBeUndefined()
  })

  test.each([
    ['labels', `graph TD;${'A["a'.repeat(12_000)}`],
    ['links', `graph TD;A ${'-- x '.repeat(9_000)}`],
    ['chains', `graph TD;A${' --> A'.repeat(8_000)}`],
    ['dashes', `graph TD;A ${'-'.repeat(49_000)}`],
    ['messages', `sequenceDiagram\n${`A${'-x'.repeat(240)}\n`.repeat(100)}`],
    ['spaces', `sequenceDiagram\nA${' '.repeat(49_000)}x`],
    ['notes', `stateDiagram\n${'note right of A\n'.repeat(3000)}`],
    ['directives', `graph TD\n${'%%{'.repeat(16_000)}`],
    ['front matter', `---\n${'---x\n'.repeat(9000)}`],
    ['styles', `graph TD\n${'style A '.repeat(6000)}`],
    ['empty lines', `graph TD\n${'\n'.repeat(49_000)}A`],
    ['settings', `graph TD\n${'classDef a\n'.repeat(4000)}`],
    ['more than Mermaid draws', `graph TD;${'A;'.repeat(200_000)}`],
  ])('hostile %s are read at once', (_, source) => {
    expect(processorMs(() => labelsOf(source))).toBeLessThan(2000)
  })
})
