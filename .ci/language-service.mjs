// GitHub's own language service over the workflows, the examples and the YAML that the pages quote: inputs against
// action.yml, expressions, events, permissions. `lint-workflows` installs it below the folder in the first argument.
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'

// The package imports JSON as bundlers do.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const installed = (path) => import(pathToFileURL(resolve(process.argv[2] ?? '.', 'node_modules', path)).href)
const { validate } = await installed('@actions/languageservice/dist/index.js')
const { TextDocument } = await installed('vscode-languageserver-textdocument/lib/esm/main.js')

const ACTION = 'OWNER/docs-agent'

/** Of the actions in this repository; of others nothing is known. */
const actionsMetadataProvider = {
  fetchActionMetadata: async ({ owner, name, path = '' }) =>
    `${owner}/${name}` === ACTION ? parse(readFileSync(join(path, 'action.yml'), 'utf8')) : undefined,
}

/** Of other actions it knows nothing, and of a part of a workflow not the steps before it. */
const isOurs = ({ message }, isPart) =>
  !message.startsWith('Unable to resolve action') && !(isPart && message.startsWith('Context access'))

/** As a workflow calls the action from elsewhere. */
const called = (yaml) =>
  yaml
    .replace(/uses: https:\/\/github\.com\//g, 'uses: ')
    .replace(
      /uses: \.\/(?!\.github)(\S*)/g,
      (_, path) => `uses: ${ACTION}${path === '' ? '' : `/${path}`}@v1`,
    )

/** Without the indent that all of its lines share: steps are quoted as deep as they stand in a workflow. */
function withoutIndent(block) {
  const indents = block.match(/^ *(?=\S)/gm)?.map(({ length }) => length) ?? [0]
  return block.replaceAll(new RegExp(`^ {${Math.min(...indents)}}`, 'gm'), '')
}

const INPUTS = parse(readFileSync('action.yml', 'utf8')).inputs
const STEP = `      - uses: ${ACTION}@v1\n        with:\n          project-id: x\n          api-key: x\n`
const JOB = 'jobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:\n'

/** Steps, inputs of the action and keys alone become a workflow. */
function workflowOf(block) {
  if (/^jobs:/m.test(block)) return block
  if (block.startsWith('- ')) return `on: push\n${JOB}${block.replace(/^(?=.)/gm, '      ')}`
  if (block.split(':')[0] in INPUTS)
    return `on: push\n${JOB}${STEP}${block.replace(/^(?=.)/gm, '          ')}`
  return `on: push\n${block}${JOB}      - run: 'true'\n`
}

function* workflows() {
  for (const file of globSync(['.github/workflows/*.yml', 'examples/*.yml']))
    yield { file, line: 0, isPart: false, text: readFileSync(file, 'utf8') }
  for (const file of globSync(['*.md', '{docs,examples,collect,insights,visitors}/**/*.md'])) {
    const page = readFileSync(file, 'utf8')
    for (const { index, 1: quoted } of page.matchAll(/^ *```ya?ml\n([\s\S]*?)^ *```/gm)) {
      const block = withoutIndent(quoted)
      const text = workflowOf(block)
      const added = text.slice(0, Math.max(0, text.indexOf(block.split('\n')[0]))).split('\n').length - 1
      yield { file, line: page.slice(0, index).split('\n').length - added, isPart: text !== block, text }
    }
  }
}

let [checked, wrong] = [0, 0]
for (const { file, line, isPart, text } of workflows()) {
  checked += 1
  // It remembers what stood at an address.
  const uri = `file:///.github/workflows/${checked}.yml`
  const found = await validate(TextDocument.create(uri, 'yaml', 1, called(text)), { actionsMetadataProvider })
  for (const { range, message } of found.filter((one) => isOurs(one, isPart))) {
    wrong += 1
    console.log(`${file}:${line + range.start.line + 1}: ${message}`)
  }
}
console.log(`${checked} workflows, ${wrong} mistakes`)
process.exit(wrong === 0 && checked > 20 ? 0 : 1)
