// The last step of .github/workflows/live.yml: says what of the contract its steps have shown. Plain JavaScript, since
// it runs on whatever Node the runner has.
import { appendFileSync } from 'node:fs'
import { env } from 'node:process'

/** @param {string} name of the variable with the output `result` of a step; null where it wrote none */
const resultOf = (name) => JSON.parse(env[name] || 'null')

const [dry, refused, job, followUp] = ['DRY', 'REFUSED', 'JOB', 'FOLLOW_UP'].map(resultOf)
const [collected, visitors, insights] = ['COLLECTED', 'VISITORS', 'INSIGHTS'].map(resultOf)
const id = job?.['job-id'] || 'no job'
const ended = ['pull-request', 'no-pull-request'].includes(job?.outcome)
const swept = collected?.find((/** @type {Record<string, unknown>} */ one) => one['job-id'] === id)

const CLAUSES = [
  ['1', 'A dry run sends nothing, and says so', dry?.reason === 'dry-run' && dry['job-id'] === ''],
  ['2', 'A wrong key ends red as `unauthorized`', refused?.reason === 'unauthorized'],
  ['2', 'A job is created, and followed to its end', ended && job['job-action'] === 'created'],
  ['2.2', 'The link of the pull request can be passed on', /^https:\/\//.test(job?.['pr-link'])],
  ['3.9', 'A thread is found by its title, or made', Number(job?.['issue-number']) > 0],
  ['4.8', 'A second request continues the job', followUp?.['job-action'] === 'continued'],
  ['5.1', 'The thread remembers the job', followUp?.['job-id'] === id],
  ['5.4', 'The result stands in the thread', /#issuecomment-\d+$/.test(job?.['comment-url'])],
  ['7', 'Visitors are exported whole', String(visitors?.complete) === 'true'],
  ['8.1', 'A sweep reports the job that no run waits for', swept !== undefined],
  ['8.3', 'It says how the job ended', ['pull-request', 'no-pull-request'].includes(swept?.outcome)],
  ['9', 'What readers miss is collected whole', String(insights?.complete) === 'true'],
]

const rows = CLAUSES.map(([clause, what, seen]) => `| ${clause} | ${what} | ${seen ? '✅' : '❌'} |\n`)
const look = `\nLook at [the thread](${job?.['comment-url']}) and at the pull request with your own eyes, too.\n`
const table = `| Clause | What it says | Seen |\n| --- | --- | --- |\n${rows.join('')}${ended ? look : ''}`
process.stdout.write(table)
appendFileSync(env.GITHUB_STEP_SUMMARY ?? '/dev/null', table)
process.exitCode = CLAUSES.every(([, , seen]) => seen) ? 0 : 1
