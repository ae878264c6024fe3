import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minify } from 'terser'

/**
 * Bundles every entry with ncc into one flat `dist/`. The code for proxies is a bundle that the others load when they
 * need it.
 */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  post: 'src/post.ts',
  visitors: 'src/visitors/index.ts',
  collect: 'src/collect/index.ts',
  proxy: 'src/http/proxy.ts',
}

/**
 * Undici brings its parser four times, each a program in base64. Two are an experiment that only code can turn on, one
 * is for processors without vector instructions, such as no runner of GitHub's software has had in fifteen years.
 */
const UNUSED = ['milo/simd.js', 'milo/no-simd.js', 'llhttp/llhttp-wasm.js']

const scratch = mkdtempSync(join(tmpdir(), 'docs-agent-build-'))
const made = join(scratch, 'dist')
mkdirSync(made)
// Types are checked by `npm run check`, once, and not again for each bundle.
for (const [entry, source] of Object.entries(ENTRIES).filter(([, path]) => existsSync(path))) {
  const out = join(scratch, entry)
  execFileSync('ncc', ['build', source, '--out', out, '--transpile-only', '--quiet'], { stdio: 'inherit' })
  for (const file of readdirSync(out)) share(join(out, file), file === 'index.js' ? `${entry}.js` : file)
}
edit('proxy.js', withoutUnused)
await minifyAll()
writeFileSync(join(made, 'licenses.txt'), licenses())
rmSync('dist', { recursive: true, force: true })
cpSync(made, 'dist', { recursive: true })
rmSync(scratch, { recursive: true })

/** Adds the file to the bundle folder; one that an earlier bundle has put there must be the same. */
function share(from: string, name: string): void {
  const to = join(made, name)
  if (!existsSync(to)) cpSync(from, to)
  else if (!readFileSync(to).equals(readFileSync(from))) throw new Error(`two bundles disagree about ${name}`)
}

function edit(name: string, change: (code: string) => string): void {
  const path = join(made, name)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

function withoutUnused(code: string): string {
  return UNUSED.reduce((rest, file) => {
    const source = readFileSync(`node_modules/undici/lib/${file}`, 'utf8')
    const program = /'(AGFz[^']{1000,})'/.exec(source)?.[1]
    if (program === undefined || !rest.includes(program)) throw new Error(`${file} is not as it was`)
    return rest.replace(program, '')
  }, code)
}

/** Every run downloads and parses the bundles: minified, they are half of what they were. Names of classes stay. */
async function minifyAll(): Promise<void> {
  for (const name of readdirSync(made).filter((file) => file.endsWith('.js'))) {
    const path = join(made, name)
    const { code } = await minify(readFileSync(path, 'utf8'), { module: true, keep_classnames: true })
    writeFileSync(path, `${code ?? ''}\n`)
  }
}

/** The licences of all packages that a bundle may hold. ncc's own list misses those that it joins into one module. */
function licenses(): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>
  }
  const bundled = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return bundled
    .map(([path, locked]) => `${path.replace(/^node_modules\//, '')}\n\n${text(path, locked)}\n`)
    .join('\n')
}

interface Locked {
  readonly dev?: boolean
  readonly license?: string
}

function text(folder: string, { license }: Locked): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim()
  return `${license ?? 'no licence named'} (the package comes without its text)`
}
