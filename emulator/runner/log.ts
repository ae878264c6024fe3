import { parseCommand, type WorkflowCommand } from './workflow-commands.ts'

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title?: string
  readonly message: string
}

const SHOWN: Readonly<Record<string, Annotation['level']>> = {
  error: 'error',
  warning: 'warning',
  notice: 'notice',
}
const PREFIX = { error: 'Error: ', warning: 'Warning: ', notice: 'Notice: ' } as const

/** Reads what an action prints as the runner does: obeys commands, masks secrets, shows the rest. */
export class RunnerLog {
  readonly annotations: Annotation[] = []
  /** Every line that was obeyed, in order. */
  readonly commands: WorkflowCommand[] = []
  /** Secrets so far, for the steps that follow. */
  readonly masks = new Set<string>()
  /** As people see it, secrets masked. */
  text = ''
  /** As it was printed. */
  raw = ''
  readonly #show: (line: string) => void
  readonly #debug: boolean
  #resumeToken: string | undefined

  constructor(options: { masks: Iterable<string>; debug: boolean; show: (line: string) => void }) {
    for (const value of options.masks) this.#mask(value)
    this.#debug = options.debug
    this.#show = options.show
  }

  line(line: string): void {
    this.raw += `${line}\n`
    const command = parseCommand(line, this.#resumeToken)
    const stopped = this.#resumeToken !== undefined
    if (command && command.name === this.#resumeToken?.toLowerCase()) this.#resumeToken = undefined
    else if (!command || stopped) this.#print(line)
    else {
      this.commands.push(command)
      this.#obey(command)
    }
  }

  #obey({ name, properties, data }: WorkflowCommand): void {
    const level = SHOWN[name]
    if (level) {
      const { title } = properties
      this.annotations.push({ level, message: this.#masked(data), ...(title === undefined ? {} : { title }) })
      this.#print(PREFIX[level] + data)
    } else if (name === 'add-mask') for (const part of [data, ...data.split(/\r?\n/)]) this.#mask(part)
    else if (name === 'stop-commands') this.#resumeToken = data
    else if (name === 'group') this.#print(data)
    else if (name === 'debug' && this.#debug) this.#print(`##[debug]${data}`)
  }

  #mask(value: string): void {
    if (value.trim() !== '') this.masks.add(value)
  }

  #masked(text: string): string {
    return [...this.masks]
      .sort((a, b) => b.length - a.length)
      .reduce((out, mask) => out.replaceAll(mask, '***'), text)
  }

  #print(text: string): void {
    const line = this.#masked(text)
    this.text += `${line}\n`
    this.#show(line)
  }
}

/** The lines of what `act` writes to the standard output of this process; it writes at once, so nothing else gets in. */
export function linesOf(act: () => void): string[] {
  const { write } = process.stdout
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk)
    return true
  }
  try {
    act()
  } finally {
    process.stdout.write = write
  }
  // As the runner reads them: they end at a line feed, a carriage return or both.
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
