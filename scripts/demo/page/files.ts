import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import ts from 'typescript'

export interface PageFile {
  readonly type: string
  readonly body: string
}

type Read = () => PageFile

const here = (name: string): URL => new URL(name, import.meta.url)
const ofPackage = (name: string): string => createRequire(import.meta.url).resolve(name)

const as = (type: string, path: string | URL, change = (text: string) => text): Read => {
  return () => ({ type: `${type}; charset=utf-8`, body: change(readFileSync(path, 'utf8')) })
}

/** Browsers take no types: they go, and the rest stays as it was written. */
const withoutTypes = (text: string): string =>
  ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText

const folder = (name: string, ending: string, read: (path: URL) => Read): [string, Read][] =>
  readdirSync(here(name))
    .filter((file) => file.endsWith(ending))
    .map((file) => [`/${name}/${file}`, read(here(`${name}/${file}`))])

/** All that the page is made of, by path. Nothing else on this machine can be asked for. */
const FILES: ReadonlyMap<string, Read> = new Map([
  ['/', as('text/html', here('index.html'))],
  ['/markdown.css', as('text/css', ofPackage('github-markdown-css'))],
  ['/mermaid.js', as('text/javascript', ofPackage('@mermaid-js/tiny'))],
  ...folder('style', '.css', (path) => as('text/css', path)),
  ...folder('client', '.ts', (path) => as('text/javascript', path, withoutTypes)),
])

export const pageFile = (path: string): PageFile | undefined => FILES.get(path)?.()
