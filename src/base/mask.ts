/**
 * The look-behinds make a match start at the first character of a word, so that it takes linear time. The forms of keys
 * are those of Gitleaks, with lengths that leave room for new ones:
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml
 */
const SECRET_KEYS: readonly RegExp[] = [
  // A private key; where its end is missing, all that follows.
  /-----BEGIN [\w -]{0,60}?PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [\w -]{0,80}-----|$)/g,
  // GitHub, AWS, Slack, Stripe, Google, the documentation service, and JSON Web Tokens.
  /(?<![a-z\d])(?:gh[pousr]|github_pat)_\w{20,}/gi,
  /(?<![A-Z\d])(?:A3T[A-Z\d]|AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}(?![A-Z\d])/g,
  /(?<![a-z\d])(?:xox[a-z]|xapp)-[\w-]{10,}/gi,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w+/-]{20,}/g,
  /(?<![a-z\d])(?:(?:[rsp]k_(?:test|live|prod)|whsec)_\w{10,})/gi,
  /(?<![a-z\d])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/gi,
  /(?<![a-z\d])mint_\w{10,}/gi,
  // OpenAI and Anthropic, GitLab, PyPI, npm, Hugging Face: their prefixes also begin names, which have no digits.
  /(?<![\w-])(?:sk-|glpat-|pypi-|npm_|hf_)(?=[\w-]*\d)[\w-]{20,}/gi,
  /(?<![\w-])ey[\w-]{15,}\.ey[\w-]{10,}(?:\.[\w-]*)?/g,
]

const EMAIL =
  /(?:"[^"\n]{1,64}"|(?<![\p{L}\p{M}\p{N}._%+'!#$*^{|}~-])[\p{L}\p{M}\p{N}._%+'!#$*^{|}~-]+)(?:[@＠﹫]|%40)(?:\[[\da-f.:]{2,45}\]|[\p{L}\p{M}\p{N}-]+(?:[.。．｡][\p{L}\p{M}\p{N}-]+)+)/gu
/** At least twelve digits, as card and phone numbers write them: with spaces, punctuation or brackets between. */
const NUMBER = /\p{Nd}(?:[\p{Zs}\p{Pd}\u2212\t\n()._/,:*\u00b7\u2223]{0,4}\p{Nd}){11,}/gu

/** Part of each key that is masked. Most texts have none, and then need no search. */
const MARKS =
  /PRIVATE KEY|gh[pousr]_|github_pat_|A3T|A[KS]IA|ABIA|ACCA|xox[a-z]-|xapp-|slack\.com|[rsp]k_|whsec_|AIza|ya29|GOCSPX|mint_|sk-|glpat-|pypi-|npm_|hf_|\.ey/i
const SIGNS = /[@＠﹫]|%40/
const DIGITS = /(?:\p{Nd}\P{Nd}*){12}/u

/** Keys, email addresses and long numbers have a mark in their place. */
export function masked(text: string): string {
  const keyless = MARKS.test(text)
    ? SECRET_KEYS.reduce((rest, key) => rest.replace(key, '[key]'), text)
    : text
  const addressless = SIGNS.test(keyless) ? keyless.replace(EMAIL, '[email]') : keyless
  return DIGITS.test(addressless) ? addressless.replace(NUMBER, '[number]') : addressless
}
