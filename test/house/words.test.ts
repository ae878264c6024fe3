import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesLike, fileText } from './files.ts'

/** Words that once named several things, by the names that each of these has now. Nothing else may be called so. */
const HAVE_OTHER_NAMES: Readonly<Record<string, string>> = {
  settled: 'effectsDone, quiet',
  settle: 'noteEffects',
  placed: 'ready',
  withdraw: 'deleteOwnSending',
  takeBack: 'toIdle',
  hasEnd: 'endingIn',
  hasEnded: 'turnIsOver',
  endOf: 'endWrittenMeanwhile',
  heal: 'sweepThread',
  healing: 'sweepThread',
  lookOnceMore: 'readUnreadThread',
  leftOut: 'omissions',
  leaveOut: 'omit',
  RunContext: 'Runner',
  Known: 'Facts',
  soonOr: 'inTimeForComment',
  publish: 'writeResult',
  ROOMS: 'BUDGETS',
  room: 'budget, left',
  patience: 'retryBudget',
  voice: 'source',
  Voice: 'PartSource',
  bell: 'checksEvent',
  doubt: 'isInDoubt, markInDoubt',
  doubts: 'inDoubt',
  wish: 'options',
  isHeld: 'isLeased',
  heldForMs: 'leaseMs',
  become: 'setState',
  claim: 'acquireLease',
  LeftOut: 'OmittedLines',
  takeTurn: 'waitToWrite',
  waitForTurn: 'waitForOlder',
  moveToEnd: 'makeLatest',
  claimLatestPlace: 'makeLatest',
  resumeFromThread: 'resumeOrStart',
  adoptRecordOfThread: 'resumeOrStart',
  isUnanswered: 'isEarlierInDoubt',
  nothingDoneYet: 'isFirstAttempt',
  saysMore: 'hasNewWords',
  permit: 'markPermitted',
  observe: 'noteJob',
  rehearse: 'reportDryRun',
}

/** Words with one meaning, by the files that may give it a name. */
const HAVE_ONE_MEANING: Readonly<Record<string, readonly string[]>> = {
  facts: ['src/record/', 'src/thread/', 'src/words/comments.ts'],
  effectsDone: ['src/record/'],
  requestDigest: ['src/record/', 'src/features/pull-request/closed.ts'],
}

type Naming = ts.Node & { readonly name: ts.Node }

const isNaming = (node: ts.Node): node is Naming =>
  (ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isBindingElement(node)) &&
  node.name !== undefined

/** Each name that `src/` gives, with its file. What it takes from a value under the value's own name is given elsewhere. */
const GIVEN = filesLike('src/**/*.ts').flatMap((file) => {
  const names: (readonly [name: string, file: string])[] = []
  const visit = (node: ts.Node): void => {
    const isShort = ts.isBindingElement(node) && node.propertyName === undefined
    if (isNaming(node) && !isShort && ts.isIdentifier(node.name)) names.push([node.name.text, file])
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, fileText(file), ts.ScriptTarget.Latest, true))
  return names
})

/** The names that a file declares and exports. */
function exportedBy(file: string): readonly string[] {
  const source = ts.createSourceFile(file, fileText(file), ts.ScriptTarget.Latest, true)
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (!ts.isVariableStatement(statement))
      return isNaming(statement) && ts.isIdentifier(statement.name) ? statement.name.text : []
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? name.text : [],
    )
  })
}

test('a name that is exported means one thing in all rooms', () => {
  const places = Map.groupBy(
    filesLike('src/*/**/*.ts').flatMap((file) => exportedBy(file).map((name) => ({ name, file }))),
    ({ name }) => name,
  )
  expect([...places.values()].filter((files) => files.length > 1)).toEqual([])
})

test.each(Object.entries(HAVE_OTHER_NAMES))('nothing is called %s: there is %s', (word) => {
  expect(GIVEN.filter(([name]) => name === word)).toEqual([])
})

test.each(Object.entries(HAVE_ONE_MEANING))('%s has one meaning, which is given in %j', (word, places) => {
  const files = GIVEN.flatMap(([name, file]) => (name === word ? [file] : []))
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([])
})
