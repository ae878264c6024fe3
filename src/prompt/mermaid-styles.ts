/** Settings of a directive or of the front matter that can take text out of sight. */
const SETTING = /theme-?(?:css|variables)|font|colou?r/i
const DIRECTIVES = /%%\{[\s\S]*?\}%%|^[^\S\n]*---[^\S\n]*\n[\s\S]*?^---/gm
const STYLES =
  /^[^\S\n]*(classDef\s+[\w,-]+|style\s+[\w,.-]+|linkStyle\s+[\w,\s]*?(?:interpolate\s+\w+)?)\s+(.+?);?\s*$/gm
/** Behind another statement, too. */
const BEGINS = /(?:^|;)[^\S\n]*(?:classDef|style|linkStyle)\b/gm

/** Whether styles or settings of a Mermaid diagram may hide a text, or make it hard to read. */
export function hidesText(source: string): boolean {
  const styled = [...source.matchAll(STYLES)]
  if ((source.match(BEGINS) ?? []).length > styled.length) return true
  const settings = source.match(DIRECTIVES) ?? []
  if (settings.some((one) => SETTING.test(one))) return true
  const isOfDefault = !settings.some((one) => /theme/i.test(one))
  return !styled.every(([, of = '', style = '']) => isReadable(style, /^linkStyle/.test(of), isOfDefault))
}

const DECORATES = /^(?:stroke(?:-width|-dasharray|-linecap)?|font-weight|font-style|r[xy])$/
/** Of the default theme. */
const DEFAULT = { fill: '#ececff', color: '#333333' }
const BEHIND_LINK = '#e8e8e8'

/** @param isOfLink its text stands on a background that no style of the link sets @param isOfDefault in the default theme */
function isReadable(style: string, isOfLink: boolean, isOfDefault: boolean): boolean {
  const pairs = style.split(',').map((one) => one.split(':').map((part) => part.trim().toLowerCase()))
  const colors = pairs.filter(([name = '']) => Object.hasOwn(DEFAULT, name))
  const { fill, color } = { ...DEFAULT, ...Object.fromEntries(colors) }
  const isPlain = pairs.every(
    ([name = '', value = '', ...more]) =>
      more.length === 0 &&
      (DECORATES.test(name) ? /^[#\w.\s%-]+$/.test(value) : Object.hasOwn(DEFAULT, name)),
  )
  const isWhole =
    isOfDefault || colors.length === 0 || (!isOfLink && new Set(colors.map(([name]) => name)).size === 2)
  return isPlain && isWhole && contrast(isOfLink ? BEHIND_LINK : fill, color) >= LEAST
}

/** https://www.w3.org/TR/WCAG22/#contrast-minimum, of large text */
const LEAST = 3

/** @returns NaN for a color of another form than `#rgb` or `#rrggbb` */
function contrast(one: string, other: string): number {
  const [dark = Number.NaN, light = Number.NaN] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const whole = color.replace(/^#([\da-f])([\da-f])([\da-f])$/, '#$1$1$2$2$3$3')
  if (!/^#[\da-f]{6}$/.test(whole)) return Number.NaN
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(whole.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
