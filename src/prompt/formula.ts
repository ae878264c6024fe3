import { words } from '../text.ts'

/**
 * What a formula in TeX may hold so that all of its source is printed: every command, environment and argument that is
 * not listed here can hide text, move it out of sight or put other text above it (contract 4.2). MathJax, which GitHub
 * draws formulas with, knows them all: https://docs.mathjax.org/en/latest/input/tex/macros/
 */

/** Commands without an argument, and those whose arguments are all printed, in the order of the source. */
const PRINTED: ReadonlySet<string> = new Set([
  ...words(`
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi
    pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi
    Sigma Upsilon Phi Psi Omega aleph beth gimel hbar ell imath jmath wp Re Im partial infty nabla
    emptyset varnothing forall exists nexists neg lnot top bot angle triangle square blacksquare checkmark
    prime backslash dagger ddagger S P copyright degree pm mp times div cdot ast star circ bullet oplus
    ominus otimes oslash odot cap cup uplus sqcap sqcup vee lor wedge land setminus wr amalg diamond
    bigcirc sum prod coprod int iint iiint oint bigcap bigcup bigvee bigwedge bigoplus bigotimes bigsqcup
    le leq leqslant ge geq geqslant ll gg ne neq equiv sim simeq approx cong asymp doteq propto models
    prec succ preceq succeq subset supset subseteq supseteq subsetneq supsetneq sqsubseteq sqsupseteq in
    ni notin vdash dashv Vdash vDash mid nmid parallel nparallel perp bowtie triangleq coloneqq lesssim
    gtrsim not leftarrow gets rightarrow to leftrightarrow Leftarrow Rightarrow Leftrightarrow iff implies
    impliedby uparrow downarrow updownarrow Uparrow Downarrow mapsto longmapsto longleftarrow
    longrightarrow longleftrightarrow Longleftarrow Longrightarrow Longleftrightarrow hookleftarrow
    hookrightarrow leftharpoonup rightharpoonup rightleftharpoons nearrow searrow swarrow nwarrow leadsto
    ldots cdots vdots ddots dots dotsb dotsc colon lbrace rbrace lbrack rbrack langle rangle lvert rvert
    lVert rVert vert Vert lfloor rfloor lceil rceil left right middle big Big bigg Bigg bigl bigr Bigl
    Bigr biggl biggr Biggl Biggr bigm Bigm arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp
    gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh bmod pmod mod limits
    nolimits displaystyle textstyle frac dfrac tfrac cfrac binom dbinom tbinom sqrt overline underline
    widehat widetilde overrightarrow overleftarrow overbrace underbrace overset underset stackrel hat
    check breve acute grave tilde bar vec dot ddot dddot mathring boxed substack mathrm mathbf mathit
    mathsf mathtt mathbb mathcal mathfrak mathscr mathnormal boldsymbol bm text textrm textbf textit
    textsf texttt textnormal mbox operatorname mathop mathbin mathrel mathord mathopen mathclose tag hline
  `),
  ...['%', '$', '&', '#', '_', '{', '}', '|', '\\'],
])

const WIDE_SPACES = '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000'

/** Quarters of an em that each space takes, about. Too much of it pushes text out of sight. */
const SPACES: ReadonlyMap<string, number> = new Map([
  ...[',', ':', ';', '>', ' ', '\n', '~', 'thinspace', 'enspace'].map((name) => [name, 1] as const),
  ...Array.from(WIDE_SPACES, (name) => [name, 4] as const),
  ...[['quad', 4] as const, ['qquad', 8] as const],
])
const SPACES_OF_HSPACE = 20
const MOST_SPACES = 120

/** `array` also has a template of its columns. */
const ENVIRONMENTS: ReadonlySet<string> = new Set(
  words(`
    matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases aligned align align* split gathered
    gather gather* equation equation* multline multline*
  `),
)

/** Colors that can be read on a white page and on a dark one. */
const COLORS =
  'red|green|blue|orange|purple|violet|magenta|brown|teal|olive|Red|Green|Blue|Orange|Purple|Violet|Magenta'

/** A command with what it takes that is not printed, or a character that hides; in the order of the source. */
const TOKENS = new RegExp(
  [
    String.raw`\\begin\{array\}\{[lcr| ]{1,20}\}|\\end\{array\}`,
    String.raw`\\(?:begin|end)\{(?<environment>[a-zA-Z]+\*?)\}(?!\s*\[)`,
    String.raw`\\(?:text)?color\{(?:${COLORS})\}`,
    String.raw`\\(?<space>hspace)\{\d(?:\.\d{1,3})?(?:em|ex|pt|px|mu)\}`,
    // The only optional argument that is printed; a line break has one that moves the next line.
    String.raw`\\sqrt\[[^\][\\{}%]*\]`,
    String.raw`\\(?<command>[a-zA-Z]+\*?|[^a-zA-Z])(?<option>(?<=\\\\)\*?\s*\[)?`,
    String.raw`(?<comment>%)|(?<gap>[~\u00a0\u2000-\u200a\u3000])`,
  ].join('|'),
  'gu',
)

/** Whether readers see all that the source of the formula holds. */
export function isPrinted(tex: string): boolean {
  let spaces = 0
  for (const { groups = {} } of tex.matchAll(TOKENS)) {
    const { environment, option, comment, space, gap } = groups
    // A star is printed, or changes how the command prints.
    const command = groups.command?.replace(/(?<=.)\*$/, '')
    if (comment !== undefined || option !== undefined) return false
    if (environment !== undefined && !ENVIRONMENTS.has(environment)) return false
    spaces += space === undefined ? (SPACES.get(command ?? gap ?? '') ?? 0) : SPACES_OF_HSPACE
    if (spaces > MOST_SPACES) return false
    if (command !== undefined && !PRINTED.has(command) && !SPACES.has(command)) return false
  }
  // A last backslash could join with what follows.
  return !/(?<!\\)(?:\\\\)*\\$/.test(tex)
}
