import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 3948:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   WN: () => (/* binding */ cancellation),
/* harmony export */   xE: () => (/* binding */ sleepUnlessCancelled)
/* harmony export */ });
/* unused harmony export throwIfCancelled */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4296);

const SENDING_MS = 3000;
const EVERYTHING_MS = 4500;
/** @param sleep must not keep the process alive */
function cancellation(sleep) {
    const [requested, sending, everything] = [
        new AbortController(),
        new AbortController(),
        new AbortController(),
    ];
    return {
        requested: requested.signal,
        sendingEnds: sending.signal,
        everythingEnds: everything.signal,
        cancel() {
            if (requested.signal.aborted)
                return;
            requested.abort();
            void sleep(SENDING_MS).then(() => sending.abort());
            void sleep(EVERYTHING_MS).then(() => everything.abort());
        },
    };
}
/** @throws {Cancelled} when the run has been told to stop */
function throwIfCancelled({ requested }) {
    if (requested.aborted)
        throw new Cancelled('the run was told to stop');
}
/**
 * Sleeps unless the run is told to stop.
 * @throws {Cancelled} as soon as it is
 */
async function sleepUnlessCancelled(deps, ms) {
    const { requested } = deps.cancellation;
    await deps.sleep(ms, requested).catch((error) => {
        throw requested.aborted ? new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .Cancelled */ .cJ('the run was told to stop', { cause: error }) : error;
    });
}


/***/ }),

/***/ 4296:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $s: () => (/* binding */ unknownFault),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   cJ: () => (/* binding */ Cancelled),
/* harmony export */   kp: () => (/* binding */ BadInput),
/* harmony export */   lZ: () => (/* binding */ ActionError)
/* harmony export */ });
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(2020);

/**
 * A failure that people are told about. The message is for them: what failed, why as far as known, and the next
 * step, in at most three sentences, without a secret and without a line break.
 */
class ActionError extends Error {
    reason;
    constructor(reason, message, options) {
        super(message, options);
        this.name = new.target.name;
        this.reason = reason;
    }
}
/** An input that cannot be used: `fault` says what is wrong with the value, `remedy` what to write instead. */
class BadInput extends ActionError {
    input;
    constructor(input, fault, remedy, options) {
        super('bad-input', `Input \`${input}\` ${fault}. ${remedy}`, options);
        this.input = input;
    }
}
/** The run was told to stop (SIGINT or SIGTERM) while it waited. */
class Cancelled extends Error {
    name = 'Cancelled';
}
/** The sentence of whatever was thrown. */
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The sentence about a fault of our own; its stack is for those who debug (contract 6.3). */
function unknownFault(runner, error) {
    if (runner.debugging && error instanceof Error)
        runner.annotate('debug', error.stack ?? '');
    return `Something happened that the action does not know how to handle (${(0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .code */ .aY)(messageOf(error), 200)}). Please report it, with the log of a run with debug logging.`;
}


/***/ }),

/***/ 2020:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   BP: () => (/* binding */ logLine),
/* harmony export */   E$: () => (/* binding */ redact),
/* harmony export */   EU: () => (/* binding */ fence),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   TN: () => (/* binding */ oneLine),
/* harmony export */   U9: () => (/* binding */ count),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   p0: () => (/* binding */ duration),
/* harmony export */   pm: () => (/* binding */ clock),
/* harmony export */   wh: () => (/* binding */ plainText)
/* harmony export */ });
/**
 * Text from outside on its way into something that gives it meaning: a log line, a Markdown page, a fence.
 * What others wrote is data in all of them.
 */
/** C0 and C1 controls, the line separators, and the characters that turn the direction of text around. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
/** One printable line of at most `max` characters. */
function oneLine(text, max = 300) {
    const line = text.replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim();
    return cut(line, max);
}
/** At most `max` UTF-16 units, never half a character, with an ellipsis where something is missing. */
function cut(text, max) {
    if (text.length <= max)
        return text;
    return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}
/**
 * A line that the runner prints and does not obey. It takes a line that begins with `::` (white space before it
 * does not count) and, from its older syntax, `##[` anywhere in a line for a workflow command.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
function logLine(text) {
    return text
        .replace(CONTROLS, ' ')
        .replace(/^(\s*):(?=:)/, '$1: ')
        .replaceAll('##[', '## [');
}
/** A Markdown code span in which the text can neither end the span, nor mention anyone, nor break the line. */
function code(text, max = 300) {
    const inner = oneLine(text, max).replaceAll('`', "'").replaceAll('|', '¦');
    return inner === '' ? '' : `\`${inner}\``;
}
/** A fenced block that the text cannot close: its fence is longer than any run of back-ticks in the text. */
function fence(text, info = 'text') {
    const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
    const ticks = '`'.repeat(longest + 1);
    return `${ticks}${info}\n${text}\n${ticks}`;
}
/** `4 min 12 s`, for sentences. */
function duration(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    const [h, min, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const parts = [h > 0 ? `${h} h` : '', min > 0 ? `${min} min` : '', h === 0 && s > 0 ? `${s} s` : ''];
    return parts.filter(Boolean).join(' ') || '0 s';
}
/** `4:12`, for the log. */
function clock(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
/** `1,284 characters`, for whole numbers. By hand, since `toLocaleString` loads a tenth of every start. */
function count(n, one, many = `${one}s`) {
    return `${String(n).replace(/\B(?=(\d{3})+$)/g, ',')} ${n === 1 ? one : many}`;
}
/** Takes the secrets out, wherever somebody echoed them. */
function redact(text, secrets) {
    return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')), text);
}
/** Our own inline Markdown without its marks, for places that show text as it is. What stands in code stays as it is. */
function plainText(markdown) {
    return markdown
        .split('`')
        .map((part, at) => (at % 2 === 1 ? part : withoutMarks(part)))
        .join('');
}
const withoutMarks = (part) => part
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, name, url) => `${name.replace(/\\(.)/g, '$1')} (${url})`)
    .replaceAll('**', '');


/***/ }),

/***/ 4098:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ transportKind),
/* harmony export */   w: () => (/* binding */ TransportError)
/* harmony export */ });
class TransportError extends Error {
    name = 'TransportError';
    kind;
    constructor(kind, message, options) {
        super(message, options);
        this.kind = kind;
    }
}
/** Codes of Node's resolver and sockets and of undici, with what people are told. */
const UNSENT = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'host name not found',
    EAI_AGAIN: 'name server not reachable',
    EHOSTUNREACH: 'host not reachable',
    ENETUNREACH: 'network not reachable',
    UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
    UND_ERR_PRX_CONN: 'the proxy did not let the request through',
    UND_ERR_PRX_TLS: 'the proxy could not be reached over TLS',
};
/**
 * OpenSSL's verification results as Node names them, and the faults that only a handshake has. Other `ERR_SSL_*` can
 * come in the middle of a request.
 */
const CERTIFICATE = /^(ERR_TLS_|ERR_SSL_(WRONG_VERSION|UNSUPPORTED|PACKET_LENGTH|TLSV1_ALERT|SSLV3_ALERT_HANDSHAKE|NO_)|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;
/** Sorts what `fetch` threw, by the first code in its chain of causes. */
function transportKind(error, cancel) {
    if (cancel?.aborted === true)
        return ['cancelled', 'the request was cut off'];
    const { code, syscall } = codeOf(error);
    const unsent = UNSENT[code];
    if (unsent !== undefined)
        return ['unsent', unsent];
    if (code === 'ETIMEDOUT' && syscall === 'connect')
        return ['unsent', 'connecting timed out'];
    if (isBadPort(error))
        return ['unusable', 'fetch connects to no such port'];
    if (CERTIFICATE.test(code))
        return ['certificate', `certificate refused (${code})`];
    if (code === 'ECONNRESET')
        return ['broken', 'connection reset'];
    return ['broken', code === '' ? 'connection broken' : `connection broken (${code})`];
}
/** Ports of other protocols are refused before anything is sent: https://fetch.spec.whatwg.org/#port-blocking */
const isBadPort = (error) => error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
function codeOf(error) {
    for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
        // Of a host with several addresses, each is tried: the errors of all of them come as one, which names no syscall.
        const { code, syscall } = (e instanceof AggregateError ? (e.errors[0] ?? e) : e);
        if (typeof code === 'string')
            return { code, syscall: syscall ?? '' };
    }
    return { code: '', syscall: '' };
}


/***/ }),

/***/ 4245:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Jt: () => (/* binding */ flag),
/* harmony export */   Po: () => (/* binding */ numberIn),
/* harmony export */   Yq: () => (/* binding */ choice),
/* harmony export */   me: () => (/* binding */ rawInputs),
/* harmony export */   mw: () => (/* binding */ required),
/* harmony export */   x3: () => (/* binding */ optionalNumberIn)
/* harmony export */ });
/* harmony import */ var _core_errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4296);
/* harmony import */ var _core_text_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(2020);


/** As the runner hands them over: upper-cased, blanks as underscores, hyphens kept. */
function rawInputs(env) {
    return (name) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim() || undefined;
}
function required(inputs, name, remedy) {
    const value = inputs(name);
    if (value === undefined)
        throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BadInput */ .kp(name, 'is missing', remedy);
    return value;
}
/** The words that YAML 1.2's core schema takes for a boolean, as in @actions/core. */
function flag(inputs, name, missing) {
    return choice(inputs, name, ['true', 'false'], String(missing)) === 'true';
}
/** One of a few words, in any letter case. */
function choice(inputs, name, words, missing) {
    const value = inputs(name);
    if (value === undefined)
        return missing;
    const word = words.find((candidate) => candidate === value.toLowerCase());
    if (word !== undefined)
        return word;
    const list = words.map((candidate) => (0,_core_text_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(candidate));
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BadInput */ .kp(name, `is ${(0,_core_text_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(value, 60)}`, `Write ${list.slice(0, -1).join(', ')} or ${list.at(-1)}.`);
}
/** A plain decimal number within a range; no sign, no exponent, no unit. */
function numberIn(inputs, name, range, missing) {
    return optionalNumberIn(inputs, name, range) ?? missing;
}
function optionalNumberIn(inputs, name, range) {
    const value = inputs(name);
    if (value === undefined)
        return undefined;
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    const inside = number >= range.min && number <= range.max;
    if (inside && (range.whole !== true || Number.isInteger(number)))
        return number;
    const kind = range.whole === true ? 'a whole number' : 'a number';
    const limits = `${range.min} to ${range.max.toLocaleString('en-US')}`;
    throw new _core_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .BadInput */ .kp(name, `is ${(0,_core_text_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(value, 60)}`, `Write ${kind} of ${range.unit} from ${limits}.`);
}


/***/ }),

/***/ 3600:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ isRed)
/* harmony export */ });
const isRed = ({ kind }) => kind === 'cancelled' || kind === 'failed';


/***/ }),

/***/ 9503:
/***/ ((module, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(module, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _wire_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(8354);
/* harmony import */ var _ending_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3600);
/* harmony import */ var _memory_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(289);
/* harmony import */ var _run_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(2960);




(0,_memory_js__WEBPACK_IMPORTED_MODULE_1__/* .staySmall */ .B)();
await (0,_wire_js__WEBPACK_IMPORTED_MODULE_0__/* .enter */ .V)(async ({ deps, raw, environment }) => (0,_ending_js__WEBPACK_IMPORTED_MODULE_3__/* .isRed */ .i)(await (0,_run_js__WEBPACK_IMPORTED_MODULE_2__/* .run */ .e)(deps, raw, environment)));

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 289:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  B: () => (/* binding */ staySmall)
});

;// CONCATENATED MODULE: external "node:v8"
const external_node_v8_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:v8");
;// CONCATENATED MODULE: ./src/visitors/memory.ts

/**
 * Keeps the peak of memory, which V8 lets grow in a loop of requests, near that of a single one. Comes before the first
 * request. It trades speed that a process of seconds, most of them spent waiting, has no use for:
 * - optimising what is warm takes more memory for a moment than all rows: 15 MB for the HTTP parser behind `fetch`,
 *   which is WebAssembly, and 5 MB for JavaScript,
 * - the heap's nursery would grow from 1 to 16 MB in the time of a hundred requests.
 */
function staySmall() {
    loadFetch();
    (0,external_node_v8_namespaceObject.setFlagsFromString)('--wasm-tiering-budget=1000000000');
    (0,external_node_v8_namespaceObject.setFlagsFromString)('--no-opt');
    (0,external_node_v8_namespaceObject.setFlagsFromString)('--semi-space-growth-factor=1');
}
/** New settings make V8 refuse Node's cached code. What is behind `fetch` is large, and loaded when first touched. */
function loadFetch() {
    void globalThis.Response;
}


/***/ }),

/***/ 2960:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  e: () => (/* binding */ run)
});

// EXTERNAL MODULE: ./src/core/errors.ts
var errors = __nccwpck_require__(4296);
// EXTERNAL MODULE: ./src/core/text.ts
var core_text = __nccwpck_require__(2020);
// EXTERNAL MODULE: ./src/inputs/read.ts
var read = __nccwpck_require__(4245);
;// CONCATENATED MODULE: ./src/inputs/service.ts


const DEFAULT_BASE_URL = 'https://api.mintlify.com';
/**
 * Masks the secrets, before anything else happens with any input. A secret of several lines is masked line by line,
 * since the log shows lines.
 */
function maskSecrets(inputs, runner) {
    const lines = ['api-key', 'github-token'].flatMap((name) => inputs(name)?.split(/\s+/) ?? []);
    for (const line of lines.filter(Boolean))
        runner.mask(line);
}
/**
 * Where the service is and which project is meant. The key may be '' (see `requireKey`), and then the project too:
 * where GitHub withholds secrets it withholds repository variables as well.
 */
function readAccess(inputs) {
    const apiKey = readKey(inputs);
    return {
        apiKey,
        projectId: apiKey === '' ? (inputs('project-id') ?? '') : readProject(inputs),
        baseUrl: readBaseUrl(inputs('base-url') ?? DEFAULT_BASE_URL),
    };
}
/** @throws {BadInput} when there is no key */
function requireKey(access) {
    if (access.apiKey !== '')
        return;
    throw new errors/* BadInput */.kp('api-key', 'is missing', 'Add an admin key as a repository secret (Settings → Secrets and variables → Actions) and pass it: `api-key: $' +
        '{{ secrets.DOCS_AGENT_API_KEY }}`. A secret that does not exist reads as empty.');
}
function readKey(inputs) {
    const key = inputs('api-key') ?? '';
    if (/^[\x21-\x7e]*$/.test(key))
        return key;
    throw new errors/* BadInput */.kp('api-key', 'holds white space, a control character or a character outside ASCII', 'Store the key in the secret again, the key alone on one line.');
}
function readProject(inputs) {
    const project = (0,read/* required */.mw)(inputs, 'project-id', 'Copy it from the dashboard under Settings → API keys, for example into the repository variable that `project-id` reads.');
    if (/^(?!\.{1,2}$)[^\s\p{Cc}]{1,200}$/u.test(project))
        return project;
    throw new errors/* BadInput */.kp('project-id', 'is not an id', 'Copy it again, the id alone, from the dashboard.');
}
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Whether the service runs on this machine, as in tests. */
const isLoopback = (baseUrl) => LOOPBACK.test(new URL(baseUrl).hostname);
/** @returns the URL without a slash at its end, a path prefix kept */
function readBaseUrl(value) {
    const refuse = (fault) => {
        throw new errors/* BadInput */.kp('base-url', fault, `Write an https: URL such as \`${DEFAULT_BASE_URL}\`.`);
    };
    if (!URL.canParse(value))
        return refuse('is not a URL');
    const url = new URL(value);
    if (url.username !== '' || url.password !== '')
        return refuse('holds credentials');
    if (/[?#]/.test(value))
        return refuse('holds a query or a fragment');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
        return refuse('is neither an https: URL nor http: on a loopback host');
    }
    return url.href.replace(/\/+$/, '');
}

;// CONCATENATED MODULE: external "node:fs/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");
;// CONCATENATED MODULE: ./src/core/json.ts
/** Guards for JSON from outside: everything is `unknown` until one of these has looked at it. */
function json_isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** The object, or an empty one in its place. */
const json_object = (value) => (json_isObject(value) ? value : {});
const list = (value) => (Array.isArray(value) ? value : []);
/** The text, or '' in its place. Half a surrogate pair becomes U+FFFD. */
const json_text = (value) => (typeof value === 'string' ? value.toWellFormed() : '');
/** A positive whole number such as an id, or undefined. */
function json_id(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
/** The value of a JSON text, or undefined when it is none. */
function json_parse(json) {
    try {
        return JSON.parse(json);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./src/trigger/event.ts



/** The payload is at most a few hundred kilobytes; GitHub caps webhooks at 25 MB. */
async function readTrigger(environment) {
    const { eventName, eventPath } = environment;
    const json = eventPath === '' ? '{}' : await readEventFile(eventPath);
    const payload = json_parse(json);
    if (json_isObject(payload))
        return narrowEvent(eventName, payload);
    throw new errors/* ActionError */.lZ('internal', `The event file of \`${eventName}\` holds no JSON object. Run again.`);
}
async function readEventFile(path) {
    try {
        return await (0,promises_namespaceObject.readFile)(path, 'utf8');
    }
    catch (cause) {
        throw new errors/* ActionError */.lZ('internal', 'The event file that GITHUB_EVENT_PATH names cannot be read.', {
            cause,
        });
    }
}
const COMMENT_KINDS = {
    issue_comment: 'issue',
    pull_request_review_comment: 'review',
    pull_request_review: 'submitted-review',
};
function narrowEvent(event, payload) {
    const kind = COMMENT_KINDS[event];
    return {
        event,
        action: json_text(payload.action),
        sender: account(payload.sender),
        comment: kind === undefined
            ? undefined
            : comment(kind, kind === 'submitted-review' ? payload.review : payload.comment),
        subject: subject(payload),
        push: event === 'push' ? push(payload) : undefined,
        release: json_isObject(payload.release) ? release(payload.release) : undefined,
    };
}
function account(value) {
    const { login, type } = json_object(value);
    if (typeof login !== 'string' || !/^[\w-]{1,100}(\[bot\])?$/.test(login))
        return undefined;
    return { login, bot: type === 'Bot' || login.endsWith('[bot]') };
}
function comment(kind, value) {
    const raw = json_object(value);
    const commentId = json_id(raw.id);
    if (commentId === undefined)
        return undefined;
    return {
        kind,
        id: commentId,
        body: json_text(raw.body),
        author: account(raw.user),
        path: json_text(raw.path),
        line: json_id(raw.line) ?? json_id(raw.original_line),
        hunk: json_text(raw.diff_hunk),
    };
}
function subject(payload) {
    const isPullRequest = json_isObject(payload.pull_request);
    const raw = json_object(isPullRequest ? payload.pull_request : payload.issue);
    const number = json_id(raw.number);
    if (number === undefined)
        return undefined;
    const [base, head] = [json_object(raw.base), json_object(raw.head)];
    return {
        number,
        isPullRequest: isPullRequest || json_isObject(raw.pull_request),
        title: json_text(raw.title),
        body: json_text(raw.body),
        url: json_text(raw.html_url),
        author: account(raw.user),
        base: json_text(base.ref),
        head: json_text(head.ref),
        fromFork: isPullRequest && json_text(json_object(head.repo).full_name) !== json_text(json_object(base.repo).full_name),
    };
}
function push(payload) {
    const [before, after] = [json_text(payload.before), json_text(payload.after)];
    return isSha(before) && isSha(after) ? { before, after, ref: json_text(payload.ref) } : undefined;
}
const isSha = (value) => /^[\da-f]{40}([\da-f]{24})?$/.test(value);
function release(raw) {
    return { name: json_text(raw.name), tag: json_text(raw.tag_name), body: json_text(raw.body), url: json_text(raw.html_url) };
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(7598);
;// CONCATENATED MODULE: ./src/core/marker.ts


const STATES = {
    /** The request is about to be sent, or was; only its answer tells. */
    sending: { ofRequest: true, resumable: false, told: false },
    /** It is not known whether the request was processed, and people have been told. */
    uncertain: { ofRequest: true, resumable: false, told: true },
    /** The request surely was not processed. */
    unsent: { ofRequest: true, resumable: false, told: true },
    /** The job is known, and its end has not been reported. */
    open: { ofRequest: true, resumable: true, told: false },
    /** The same, and the run that waited has said that it no longer does. */
    parted: { ofRequest: true, resumable: true, told: true },
    /** The job's end has been reported: nothing is ever written over it. */
    reported: { ofRequest: true, resumable: true, told: true },
    /** An answer to `help`, `status` or a refused start; no job. */
    answer: { ofRequest: true, resumable: false, told: true },
    /** The thread's one comment about a missing permission. */
    refusal: { ofRequest: false, resumable: false, told: true },
    /** On the job's own pull request: the way back to the job. */
    pointer: { ofRequest: false, resumable: false, told: true },
};
const meaningOf = (state) => STATES[state];
const VERSION = '1';
const MARKER = /<!-- docs-agent:(\d{1,4}):([\w-]{1,8000}):([\w-]{43}) -->\s*$/;
const ANY_MARKER = /<!-- docs-agent:\d{1,4}:/;
/** The names in the payload; one letter each keeps the marker short. */
const KEYS = {
    key: 'k',
    state: 's',
    job: 'j',
    status: 't',
    pr: 'p',
    run: 'r',
    until: 'u',
    at: 'a',
    from: 'f',
    messaged: 'm',
    asker: 'w',
    comment: 'c',
    eyes: 'e',
};
function writeMarker(marker, scope) {
    const fields = Object.entries(KEYS).map(([name, letter]) => [letter, marker[name]]);
    const payload = Buffer.from(JSON.stringify(Object.fromEntries(fields))).toString('base64url');
    return `<!-- docs-agent:${VERSION}:${payload}:${sign(payload, scope)} -->`;
}
/** The marker at the end of a comment's body, if it is ours, whole, and made for this very thread. */
function readMarker(body, scope) {
    const [, version, payload = '', hmac = ''] = MARKER.exec(body) ?? [];
    if (version !== VERSION || !sameText(hmac, sign(payload, scope)))
        return undefined;
    return narrow(parse(Buffer.from(payload, 'base64url').toString()));
}
/** Whether the text holds anything that looks like a marker, whoever wrote it. */
const marker_carriesMarker = (body) => ANY_MARKER.test(body);
function sign(payload, scope) {
    const parts = [VERSION, payload, scope.repository.toLowerCase(), String(scope.thread), scope.projectId];
    return createHmac('sha256', keyOf(scope.apiKey)).update(JSON.stringify(parts)).digest('base64url');
}
const keyOf = (apiKey) => Buffer.from(hkdfSync('sha256', apiKey, '', 'docs-agent marker', 32));
function sameText(a, b) {
    const [left, right] = [Buffer.from(a), Buffer.from(b)];
    return left.length === right.length && timingSafeEqual(left, right);
}
/** The payload is ours once its HMAC holds; it is narrowed all the same, since an older release may have made it. */
function narrow(value) {
    if (!isObject(value))
        return undefined;
    const raw = object(value);
    const state = text(raw[KEYS.state]);
    if (!isState(state))
        return undefined;
    return {
        state,
        key: text(raw[KEYS.key]),
        job: text(raw[KEYS.job]),
        status: text(raw[KEYS.status]),
        pr: text(raw[KEYS.pr]),
        run: text(raw[KEYS.run]),
        until: id(raw[KEYS.until]) ?? 0,
        at: id(raw[KEYS.at]) ?? 0,
        from: id(raw[KEYS.from]) ?? 0,
        messaged: id(raw[KEYS.messaged]) ?? 0,
        asker: text(raw[KEYS.asker]),
        comment: text(raw[KEYS.comment]),
        eyes: id(raw[KEYS.eyes]) ?? 0,
    };
}
const isState = (state) => Object.hasOwn(STATES, state);

;// CONCATENATED MODULE: ./src/trigger/triage.ts


/** The one action of each comment event that is somebody saying something new. */
const NEW_COMMENT = {
    issue_comment: 'created',
    pull_request_review_comment: 'created',
    pull_request_review: 'submitted',
};
/** Contract 3.1, 3.4 and 3.5, as far as the event tells. Sends nothing. */
function triage(trigger, inputs) {
    const newAction = NEW_COMMENT[trigger.event];
    if (newAction !== undefined && trigger.action !== newAction)
        return { skip: 'not-a-new-comment' };
    if (carriesMarker(trigger.comment?.body ?? ''))
        return { skip: 'bot' };
    const stranger = (account) => account?.bot === true && !inputs.allowedBots.includes(account.login);
    if (isPullRequestEvent(trigger) && stranger(trigger.subject?.author))
        return { skip: 'agent-pull-request' };
    if (isPersonal(trigger) && [trigger.sender, trigger.comment?.author].some(stranger))
        return { skip: 'bot' };
    if (newAction === undefined || inputs.prompt !== undefined || inputs.promptFile !== undefined) {
        return { command: 'input' };
    }
    const command = parseCommand(trigger.comment?.body ?? '', inputs.command);
    return command === undefined ? { skip: 'not-a-command' } : { command };
}
const isPullRequestEvent = (trigger) => trigger.event === 'pull_request' || trigger.event === 'pull_request_target';
/** Events of an issue, a pull request or a comment: strangers can cause them, so someone's permission counts (3.3). */
const isPersonal = (trigger) => trigger.subject !== undefined || trigger.comment !== undefined || OTHER_PERSONAL.has(trigger.event);
const OTHER_PERSONAL = new Set(['commit_comment', 'discussion', 'discussion_comment']);
/** The login to address, if a person asked. */
function askerOf(trigger) {
    const account = trigger.comment?.author ?? trigger.sender;
    return account === undefined || account.bot || trigger.event === 'schedule' ? '' : account.login;
}
/** GitHub gives no secrets to runs of these events when the pull request comes from a fork, nor to Dependabot (1.3). */
const WITHOUT_SECRETS = new Set([
    'pull_request',
    'pull_request_review',
    'pull_request_review_comment',
]);
function secretsAreWithheld(trigger, actor) {
    const fork = WITHOUT_SECRETS.has(trigger.event) && trigger.subject?.fromFork === true;
    return fork || actor === 'dependabot[bot]' || trigger.sender?.login === 'dependabot[bot]';
}

;// CONCATENATED MODULE: ./src/http/retry-after.ts
/**
 * How long the server asks us to wait, in ms from `now`, or undefined when it does not say. `Retry-After` as seconds
 * or as a date (RFC 9110, 10.2.3); without it, the reset time of a spent `X-RateLimit-*` budget (epoch seconds).
 */
function retryAfterMs(headers, now) {
    const value = headers.get('retry-after')?.trim() ?? '';
    if (/^\d+(\.\d+)?$/.test(value))
        return Number(value) * 1000;
    const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(date))
        return Math.max(0, date - now);
    const reset = headers.get('x-ratelimit-reset') ?? '';
    if (headers.get('x-ratelimit-remaining')?.trim() === '0' && /^\d{9,11}$/.test(reset.trim())) {
        return Math.max(0, Number(reset) * 1000 - now);
    }
    return undefined;
}
/** All three forms start with the day's name; `Date.parse` alone would take "-1" for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d/;

;// CONCATENATED MODULE: ./src/http/service-error.ts




/** A request to the service that failed, with what is known of why. */
class ServiceError extends errors/* ActionError */.lZ {
    failure;
    constructor(failure, sentence, reason = reasonOf(failure)) {
        super(reason, sentence, failure.kind === 'transport' ? { cause: failure.error } : undefined);
        this.failure = failure;
    }
}
/** Contract 2, "Reasons of `error`". Every status that is not listed goes by its hundred. */
const STATUS_REASONS = {
    401: 'unauthorized',
    402: 'payment-required',
    403: 'forbidden',
    404: 'job-not-found',
    429: 'rate-limited',
};
function reasonOf(failure) {
    if (failure.kind === 'transport')
        return failure.error.kind === 'too-large' ? 'bad-response' : 'network';
    if (failure.kind === 'unreadable')
        return 'bad-response';
    const { status } = failure;
    return (STATUS_REASONS[status] ??
        (status >= 500 ? 'service-unavailable' : status >= 400 ? 'rejected' : 'bad-response'));
}
/** The failure that an answer other than 2xx stands for. */
function statusFailure(answer, now, secrets) {
    // A spent budget explains a 429; a 503 that says nothing itself stays one that leaves everything open (4.3).
    const limited = answer.status === 429 || answer.headers.has('retry-after');
    return {
        kind: 'status',
        status: answer.status,
        detail: detailOf(answer, secrets),
        retryAfterMs: limited ? retryAfterMs(answer.headers, now) : undefined,
    };
}
/**
 * What the body says, as one short line: `error` and the `details` of a JSON body, else plain text. A page of HTML
 * says nothing that helps. The service may echo what it was sent, so the secrets go.
 */
function detailOf(answer, secrets) {
    const { text } = answer;
    if (/^\s*</.test(text))
        return '';
    const value = json_parse(text);
    const said = value === undefined ? text : messages(value).join('; ');
    return (0,core_text/* oneLine */.TN)((0,core_text/* redact */.E$)(said, secrets), 200);
}
/** The strings under `error`, `message` and `details`, wherever the shapes seen so far put them. */
function messages(value, depth = 0) {
    if (typeof value === 'string')
        return [value];
    if (Array.isArray(value))
        return value.slice(0, 3).flatMap((item) => messages(item, depth + 1));
    if (typeof value !== 'object' || value === null || depth > 3)
        return [];
    const { error, message, details } = value;
    return [error, message, details].flatMap((part) => messages(part, depth + 1));
}
/** `401: Invalid key`, `connection refused`, … for the middle of a sentence. */
function describeFailure(failure) {
    if (failure.kind === 'transport')
        return failure.error.message;
    if (failure.kind === 'unreadable')
        return failure.detail;
    return failure.detail === ''
        ? `HTTP ${failure.status}`
        : `HTTP ${failure.status}: ${(0,core_text/* code */.aY)(failure.detail, 200)}`;
}

;// CONCATENATED MODULE: ./src/http/explain.ts


const ASKED = {
    create: 'start a job',
    message: 'send the job a message',
    read: 'read the job',
    visitors: 'read the visitors',
};
/** What people can do about it, a sentence for each reason. */
const REMEDIES = {
    unauthorized: 'The API key is wrong or has expired (keys last 90 days unless set otherwise): make a new admin key on the dashboard under Settings → API keys and store it in the secret that `api-key` reads.',
    forbidden: 'The key may lack a scope, or its IP allowlist leaves this runner out (GitHub-hosted runners have no fixed address): look at the key on the dashboard under Settings → API keys.',
    'payment-required': 'The organisation has no credits left: look at Billing on the dashboard.',
    rejected: 'Change the prompt or the inputs as it says, then run again.',
    'rate-limited': 'The limit is 100 job creations and 100 messages a project an hour: run again later, or collect several requests in one prompt.',
    'service-unavailable': 'Run again in a few minutes.',
    network: 'Look at `base-url`, and at the proxy and the firewall of the runner.',
    'bad-response': 'Look at `base-url`: something else than the service may answer there.',
};
/** Where the call makes a difference. */
const REMEDIES_OF = {
    visitors: {
        rejected: 'Change the inputs as it says, then run again.',
        'rate-limited': 'The limit is 100 requests an organisation an hour, shared by all analytics, so nothing was written: run again later, or raise `timeout-minutes`.',
    },
};
/** One to three sentences for people: what failed, why as far as known, what to do next. */
function explainFailure(call, failure, access, jobId = '') {
    const asked = `The service did not let the action ${ASKED[call]} (${describeFailure(failure)}).`;
    if (failure.kind !== 'status')
        return `${asked.replace('let the action', 'answer the request to')} ${remedy(call, failure)}`;
    const { status, retryAfterMs } = failure;
    if (status >= 300 && status < 400) {
        return `The service redirected the request to ${ASKED[call]} (${describeFailure(failure)}), and redirects are not followed, to keep the key where it belongs. Set \`base-url\` to the final address.`;
    }
    if (status === 404)
        return `${asked} ${NOT_FOUND(call, access, jobId)}`;
    const wait = retryAfterMs === undefined ? '' : ` It asks to come back in ${(0,core_text/* duration */.p0)(retryAfterMs)}.`;
    return `${asked}${wait} ${remedy(call, failure)}${keyHint(status, access.apiKey)}`;
}
function remedy(call, failure) {
    const reason = reasonOf(failure);
    return REMEDIES_OF[call]?.[reason] ?? REMEDIES[reason] ?? '';
}
const NOT_FOUND = (call, access, jobId) => call === 'message' || call === 'read'
    ? `It knows no job ${(0,core_text/* code */.aY)(jobId)} in the project ${(0,core_text/* code */.aY)(access.projectId)}: check \`job-id\` and \`project-id\`.`
    : `It knows no project ${(0,core_text/* code */.aY)(access.projectId)}: check \`project-id\` on the dashboard under Settings → API keys.`;
/** Two kinds of key look much like the one that is needed. The prefix is a hint, never a condition. */
const OTHER_KEYS = { mint_dsc_: 'an assistant', mint_us_: 'an index' };
function keyHint(status, apiKey) {
    const prefix = Object.keys(OTHER_KEYS).find((start) => apiKey.startsWith(start));
    if (prefix === undefined || (status !== 401 && status !== 403))
        return '';
    return ` This one looks like ${OTHER_KEYS[prefix]} key (${(0,core_text/* code */.aY)(`${prefix}…`)}); an admin key is needed.`;
}

// EXTERNAL MODULE: ./src/core/cancellation.ts
var cancellation = __nccwpck_require__(3948);
;// CONCATENATED MODULE: ./src/http/retry.ts
const transport = (...kinds) => (failure) => failure.kind === 'transport' && kinds.includes(failure.error.kind);
const retry_status = (test) => (failure) => failure.kind === 'status' && test(failure.status, failure.retryAfterMs);
/** The first rule that applies counts. */
const RULES = [
    { applies: transport('unsent'), send: 'retry', read: 'retry' },
    { applies: transport('certificate', 'unusable'), send: 'end', read: 'end' },
    { applies: transport('timeout', 'broken', 'cancelled'), send: 'uncertain', read: 'retry' },
    { applies: transport('too-large'), send: 'uncertain', read: 'retry' },
    { applies: (failure) => failure.kind === 'unreadable', send: 'uncertain', read: 'retry' },
    { applies: retry_status((code) => code === 429), send: 'retry', read: 'retry' },
    { applies: retry_status((code, wait) => code === 503 && wait !== undefined), send: 'retry', read: 'retry' },
    { applies: retry_status((code) => code >= 500), send: 'uncertain', read: 'retry' },
    { applies: retry_status((code) => code === 408), send: 'end', read: 'retry' },
];
function verdictOf(call, failure) {
    return RULES.find((rule) => rule.applies(failure))?.[call] ?? 'end';
}
/** Tries of create and message in all (contract 4.3). */
const SEND_TRIES = 5;
/** Reads in a row that may answer with something that is no job (contract 4.4). */
const UNREADABLE_TRIES = 3;
/** Answers that look like a mistake of the service rather than a passing fault. */
const isUnreadable = (failure) => failure.kind === 'unreadable' || (failure.kind === 'transport' && failure.error.kind === 'too-large');
/** Pause before try `n` + 1, in ms: 1 s, doubled each time, at most 30 s, varied by a tenth. */
function backoffMs(n, random) {
    return Math.min(30_000, 1000 * 2 ** (n - 1)) * (0.9 + 0.2 * random());
}

;// CONCATENATED MODULE: ./src/http/insist.ts





/**
 * Asks again after faults that pass, with growing pauses or as `Retry-After` says, until the deadline (contract 4.4).
 * A wait that the service asks for and that would pass the deadline is not begun (4.5).
 * @throws {ServiceError} when asking again is of no use
 * @throws {Cancelled} as soon as the run is told to stop
 */
async function insist(deps, question) {
    const { deadline, longestPauseMs = Number.POSITIVE_INFINITY } = question;
    const { requested } = deps.cancellation;
    const pause = question.pause ?? ((until) => pauseAloud(deps, until));
    let late;
    for (let attempt = 1, unreadable = 0;; attempt++) {
        if (requested.aborted)
            throw new errors/* Cancelled */.cJ();
        const left = deadline - deps.now();
        if (left <= 0)
            return { late };
        const reply = await question.ask(left, requested);
        if (requested.aborted)
            throw new errors/* Cancelled */.cJ();
        if ('value' in reply)
            return reply;
        const { failure } = reply;
        late = new ServiceError(failure, question.explain(failure));
        unreadable = isUnreadable(failure) ? unreadable + 1 : 0;
        if (verdictOf('read', failure) === 'end' || unreadable >= UNREADABLE_TRIES)
            throw late;
        const askedMs = failure.kind === 'status' ? failure.retryAfterMs : undefined;
        if (askedMs !== undefined && deps.now() + askedMs > deadline)
            return { late, askedMs };
        // Asked to come back at once, a service in trouble would be asked without end.
        const wait = Math.max(askedMs ?? 0, Math.min(longestPauseMs, backoffMs(attempt, deps.random)));
        deps.log(`${(0,core_text/* plainText */.wh)(late.message)} Trying again in ${(0,core_text/* duration */.p0)(wait)}.`);
        await pause(Math.min(deadline, deps.now() + wait));
    }
}
/** The log shows at least one line a minute (contract 2.5). */
const MINUTE_MS = 60_000;
async function pauseAloud(deps, until) {
    for (let left = until - deps.now(); left > 0; left = until - deps.now()) {
        if (left > MINUTE_MS)
            deps.log(`Waiting for the service, another ${(0,core_text/* duration */.p0)(left)}.`);
        await (0,cancellation/* sleepUnlessCancelled */.xE)(deps, Math.min(left, MINUTE_MS));
    }
}

;// CONCATENATED MODULE: ./src/core/version.ts
/** Written here, so that no file is read at start; a test holds it and package.json together. */
const version_VERSION = '1.0.0';

// EXTERNAL MODULE: ./src/http/transport-error.ts
var transport_error = __nccwpck_require__(4098);
;// CONCATENATED MODULE: ./src/http/exchange.ts

/** Larger bodies are refused (contract 4.7). */
const MAX_BODY_BYTES = 5 * 1024 * 1024;
/**
 * One request, one answer, no second try.
 * @throws {TransportError} when no whole answer came: its kind says whether the server can have seen the request.
 */
async function exchange(deps, request) {
    const expiry = new AbortController();
    const settled = new AbortController();
    const signals = request.signal === undefined ? [expiry.signal] : [expiry.signal, request.signal];
    deps.sleep(request.timeoutMs, settled.signal).then(() => expiry.abort(new transport_error/* TransportError */.w('timeout', `no answer within ${request.timeoutMs / 1000} s`)), () => undefined);
    try {
        const response = await deps.fetch(request.url, {
            method: request.method,
            headers: request.headers,
            redirect: request.redirect ?? 'manual',
            signal: AbortSignal.any(signals),
            ...(request.body === undefined ? {} : { body: request.body }),
        });
        return { status: response.status, headers: response.headers, text: await readBody(response) };
    }
    catch (error) {
        if (error instanceof transport_error/* TransportError */.w)
            throw error;
        if (expiry.signal.aborted)
            throw expiry.signal.reason;
        throw new transport_error/* TransportError */.w(...(0,transport_error/* transportKind */.E)(error, request.signal), { cause: error });
    }
    finally {
        settled.abort();
    }
}
/** The body as text; stops reading, and hangs up, at the limit. */
async function readBody(response) {
    if (response.body === null)
        return '';
    const decoder = new TextDecoder();
    let bytes = 0;
    let text = '';
    for await (const chunk of response.body) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BODY_BYTES)
            throw new transport_error/* TransportError */.w('too-large', 'an answer of more than 5 MiB');
        text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
}

;// CONCATENATED MODULE: ./src/http/service.ts




/** One authorised request to the service. Any 2xx is an answer, everything else a failure; nothing is thrown. */
async function callService(deps, access, call) {
    try {
        const answer = await exchange(deps, {
            method: call.method,
            url: access.baseUrl + call.path,
            headers: {
                accept: 'application/json',
                authorization: `Bearer ${access.apiKey}`,
                // The CDN in front of the service refuses some default user agents.
                'user-agent': `docs-agent-action/${version_VERSION}`,
                ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
            timeoutMs: call.timeoutMs,
            ...(call.signal === undefined ? {} : { signal: call.signal }),
        });
        if (answer.status >= 200 && answer.status < 300)
            return { answer };
        return { failure: statusFailure(answer, deps.now(), [access.apiKey]) };
    }
    catch (error) {
        if (error instanceof transport_error/* TransportError */.w)
            return { failure: { kind: 'transport', error } };
        throw error;
    }
}

;// CONCATENATED MODULE: ./src/visitors/page.ts

/** A page of results out of an answer's text, or what is wrong with it, for the middle of a sentence. */
function parsePage(text) {
    const raw = json_parse(text);
    if (!json_isObject(raw))
        return { fault: 'an answer that is no JSON object' };
    const { totals, visitors, hasMore } = raw;
    if (!isFigures(totals))
        return { fault: 'an answer without usable `totals`' };
    if (typeof hasMore !== 'boolean')
        return { fault: 'an answer that leaves open whether there is more' };
    if (!Array.isArray(visitors))
        return { fault: 'an answer without a list of `visitors`' };
    if (visitors.every(isRow))
        return { totals: figures(totals), rows: visitors.map(row), hasMore };
    const odd = visitors.findIndex((row) => !isRow(row));
    return { fault: `an answer whose row ${odd + 1} is no path with its visitors` };
}
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFigures = (value) => json_isObject(value) && isCount(value.human) && isCount(value.ai) && isCount(value.total);
const isRow = (value) => isFigures(value) && 'path' in value && typeof value.path === 'string' && value.path !== '';
/** Only the fields that are known, so that files have the same columns whatever the service adds. */
const figures = ({ human, ai, total }) => ({ human, ai, total });
/** Half a surrogate pair cannot be written as UTF-8. */
const row = ({ path, ...rest }) => ({ path: path.toWellFormed(), ...figures(rest) });

;// CONCATENATED MODULE: ./src/visitors/period.ts
const DAY_MS = 86_400_000;
/** The presets of the input `period`, made of whole UTC days. */
const PERIODS = ['7d', '30d', '90d', 'last-week', 'last-month'];
/** `7d` and its like end today, exclusive; a week is Monday to Sunday, a month that of the calendar. */
function presetPeriod(name, now) {
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    if (name === 'last-week') {
        const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
        const monday = today - sinceMonday * DAY_MS;
        return { from: monday - 7 * DAY_MS, to: monday };
    }
    if (name === 'last-month') {
        const [year, month] = [new Date(today).getUTCFullYear(), new Date(today).getUTCMonth()];
        return { from: Date.UTC(year, month - 1), to: Date.UTC(year, month) };
    }
    return { from: today - Number.parseInt(name, 10) * DAY_MS, to: today };
}
/** The stretch of the same length right before. */
function periodBefore({ from, to }) {
    return { from: from - (to - from), to: from };
}
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
/** ISO 8601 as a day or a day with a time, which is UTC unless it says otherwise. Undefined for what no calendar has. */
function parseDate(text) {
    const day = parseDay(text);
    if (day !== undefined)
        return day;
    const [, dayText = '', hour, minute, second = '0', fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
    const midnight = parseDay(dayText);
    const offset = offsetMs(zone);
    if (midnight === undefined || offset === undefined)
        return undefined;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
        return undefined;
    const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
    return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms - offset;
}
function parseDay(text) {
    const [, year, month, day] = DATE.exec(text) ?? [];
    const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
    // `Date.UTC` takes 30 February for 2 March, and the years 0 to 99 for those of the last century.
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
}
/** `+02:00`, `+0200` or `+02`, in ms. */
function offsetMs(zone) {
    const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
    if (sign === undefined)
        return 0;
    if (Number(hours) > 23 || Number(minutes) > 59)
        return undefined;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
/** `2026-07-01`, or with the time where it is not midnight UTC. */
function isoDate(ms) {
    const text = new Date(ms).toISOString();
    return ms % DAY_MS === 0 ? text.slice(0, 10) : text.replace('.000Z', 'Z');
}
/** `2026-07-01 to 2026-07-31`: for people, the last of whole days is named as such. */
function describePeriod({ from, to }) {
    if (from % DAY_MS !== 0 || to % DAY_MS !== 0)
        return `${isoDate(from)} to ${isoDate(to)}`;
    return to - from === DAY_MS ? isoDate(from) : `${isoDate(from)} to ${isoDate(to - DAY_MS)}`;
}

;// CONCATENATED MODULE: ./src/visitors/client.ts







/** A read gives up after 30 s. */
const READ_MS = 30_000;
function visitorsClient(deps, access, { timeoutMs, deadline }) {
    const visitors = `/v1/analytics/${encodeURIComponent(access.projectId)}/visitors`;
    let requests = 0;
    async function ask(query, leftMs, signal) {
        requests++;
        const path = `${visitors}?${parameters(query)}`;
        const result = await callService(deps, access, {
            method: 'GET',
            path,
            timeoutMs: Math.min(READ_MS, leftMs),
            signal,
        });
        if ('failure' in result)
            return result;
        const page = parsePage(result.answer.text);
        return 'fault' in page ? { failure: { kind: 'unreadable', detail: page.fault } } : { value: page };
    }
    return {
        async page(query) {
            const answer = await insist(deps, {
                ask: (leftMs, signal) => ask(query, leftMs, signal),
                explain: (failure) => explainFailure('visitors', failure, access),
                deadline,
            });
            if ('value' in answer)
                return answer.value;
            throw answer.late ?? new TimeIsUp(timeoutMs, query.offset);
        },
        requests: () => requests,
    };
}
/** Nothing failed, there was only too much to read. */
class TimeIsUp extends errors/* ActionError */.lZ {
    constructor(timeoutMs, rows) {
        super('network', `Only ${rows.toLocaleString('en-US')} rows could be read within ${(0,core_text/* duration */.p0)(timeoutMs)}, so nothing was written. Raise \`timeout-minutes\`, or set \`max-rows\`.`);
    }
}
const parameters = ({ period, limit, offset }) => new URLSearchParams({
    dateFrom: isoDate(period.from),
    dateTo: isoDate(period.to),
    limit: String(limit),
    offset: String(offset),
});

;// CONCATENATED MODULE: external "node:path"
const external_node_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");
;// CONCATENATED MODULE: ./src/visitors/aside.ts



/**
 * The text is written to a hidden neighbour, so that the last step is a rename within one file system. Whatever
 * happens before that, a kill included, leaves an earlier file at `path` as it is.
 */
async function openAside(path) {
    const directory = (0,external_node_path_namespaceObject.dirname)(path);
    const made = await (0,promises_namespaceObject.mkdir)(directory, { recursive: true });
    const aside = (0,external_node_path_namespaceObject.join)(directory, `.${(0,external_node_path_namespaceObject.basename)(path)}.${(0,external_node_crypto_.randomBytes)(4).toString('hex')}.part`);
    // `x`: never through a link that someone put there first.
    const file = await (0,promises_namespaceObject.open)(aside, 'wx').catch(async (error) => {
        await removeMade(directory, made);
        throw error;
    });
    return {
        write: (text) => file.appendFile(text),
        async keep() {
            // Otherwise the name could survive a crash of the machine without the content.
            await file.sync();
            await file.close();
            await (0,promises_namespaceObject.rename)(aside, path);
        },
        async discard() {
            await file.close().catch(() => undefined);
            await (0,promises_namespaceObject.rm)(aside, { force: true });
            await removeMade(directory, made);
        },
    };
}
/** Removes the directories from `directory` up to `top`, the first one that was made, as long as they are empty. */
async function removeMade(directory, top) {
    if (top === undefined)
        return;
    for (let at = directory; at.length >= top.length; at = (0,external_node_path_namespaceObject.dirname)(at)) {
        const removed = await (0,promises_namespaceObject.rmdir)(at).then(() => true, () => false);
        if (!removed)
            return;
    }
}

;// CONCATENATED MODULE: ./src/visitors/ranking.ts
/** Holds `size` items at most. */
function ranking(size, weightOf) {
    const items = [];
    return {
        add(item) {
            const weight = weightOf(item);
            const last = items.at(-1);
            if (items.length >= size && (last === undefined || weight <= last.weight))
                return;
            const place = items.findIndex((other) => other.weight < weight);
            items.splice(place < 0 ? items.length : place, 0, { item, weight });
            if (items.length > size)
                items.pop();
        },
        list: () => items.map(({ item }) => item),
    };
}

;// CONCATENATED MODULE: ./src/visitors/comparison.ts

function addTotals(totals, rows) {
    for (const { path, total } of rows)
        totals.set(path, total);
}
/**
 * The pages whose visitors changed most, up or down, the largest change first.
 * @param whole both periods were read to their end: a page that is missing in one of them had no visitors
 */
function movers(now, before, size, whole) {
    const most = ranking(size, (move) => Math.abs(move.now - move.before));
    const add = (path) => {
        const move = { path, before: before.get(path) ?? 0, now: now.get(path) ?? 0 };
        if (move.now !== move.before && (whole || (now.has(path) && before.has(path))))
            most.add(move);
    };
    for (const path of now.keys())
        add(path);
    for (const path of before.keys())
        if (!now.has(path))
            add(path);
    return most.list();
}

;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/utils/get.js
// Lodash implementation of `get`

const charCodeOfDot = ".".charCodeAt(0);
const reEscapeChar = /\\(\\)?/g;
const rePropName = RegExp(
  // Match anything that isn't a dot or bracket.
  "[^.[\\]]+" +
    "|" +
    // Or match property names within brackets.
    "\\[(?:" +
    // Match a non-string expression.
    "([^\"'][^[]*)" +
    "|" +
    // Or match strings (supports escaping characters).
    "([\"'])((?:(?!\\2)[^\\\\]|\\\\.)*?)\\2" +
    ")\\]" +
    "|" +
    // Or match "" as the space between consecutive dots or empty brackets.
    "(?=(?:\\.|\\[\\])(?:\\.|\\[\\]|$))",
  "g",
);
const reIsDeepProp = /\.|\[(?:[^[\]]*|(["'])(?:(?!\1)[^\\]|\\.)*?\1)\]/;
const reIsPlainProp = /^\w*$/;

const getTag = function (value) {
  // if (!value) value === undefined ? "[object Undefined]" : "[object Null]";
  return Object.prototype.toString.call(value);
};

const isSymbol = function (value) {
  const type = typeof value;
  return (
    type === "symbol" ||
    (type === "object" && value && getTag(value) === "[object Symbol]")
  );
};

const isKey = function (value, object) {
  if (Array.isArray(value)) {
    return false;
  }
  const type = typeof value;
  if (
    type === "number" ||
    type === "symbol" ||
    type === "boolean" ||
    !value ||
    isSymbol(value)
  ) {
    return true;
  }
  return (
    reIsPlainProp.test(value) ||
    !reIsDeepProp.test(value) ||
    (object != null && value in Object(object))
  );
};

const stringToPath = function (string) {
  const result = [];
  if (string.charCodeAt(0) === charCodeOfDot) {
    result.push("");
  }
  string.replace(rePropName, function (match, expression, quote, subString) {
    let key = match;
    if (quote) {
      key = subString.replace(reEscapeChar, "$1");
    } else if (expression) {
      key = expression.trim();
    }
    result.push(key);
  });
  return result;
};

const castPath = function (value, object) {
  if (Array.isArray(value)) {
    return value;
  } else {
    return isKey(value, object) ? [value] : stringToPath(value);
  }
};

const toKey = function (value) {
  if (typeof value === "string" || isSymbol(value)) return value;
  const result = `${value}`;
  return result == "0" && 1 / value == -Infinity ? "-0" : result;
};

const get = function (object, path) {
  path = castPath(path, object);
  let index = 0;
  const length = path.length;
  while (object != null && index < length) {
    object = object[toKey(path[index++])];
  }
  return index && index === length ? object : undefined;
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/utils/is_object.js
const is_object = function (obj) {
  return typeof obj === "object" && obj !== null && !Array.isArray(obj);
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/api/normalize_columns.js
const normalize_columns = function (columns) {
  if (columns === undefined || columns === null) {
    return [undefined, undefined];
  }
  if (typeof columns !== "object") {
    return [Error('Invalid option "columns": expect an array or an object')];
  }
  if (!Array.isArray(columns)) {
    const newcolumns = [];
    for (const k in columns) {
      newcolumns.push({
        key: k,
        header: columns[k],
      });
    }
    columns = newcolumns;
  } else {
    const newcolumns = [];
    for (const column of columns) {
      if (typeof column === "string") {
        newcolumns.push({
          key: column,
          header: column,
        });
      } else if (
        typeof column === "object" &&
        column !== null &&
        !Array.isArray(column)
      ) {
        if (!column.key) {
          return [
            Error('Invalid column definition: property "key" is required'),
          ];
        }
        if (column.header === undefined) {
          column.header = column.key;
        }
        newcolumns.push(column);
      } else {
        return [
          Error("Invalid column definition: expect a string or an object"),
        ];
      }
    }
    columns = newcolumns;
  }
  return [undefined, columns];
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/api/CsvError.js
class CsvError extends Error {
  constructor(code, message, ...contexts) {
    if (Array.isArray(message)) message = message.join(" ");
    super(message);
    if (Error.captureStackTrace !== undefined) {
      Error.captureStackTrace(this, CsvError);
    }
    this.code = code;
    for (const context of contexts) {
      for (const key in context) {
        const value = context[key];
        this[key] = Buffer.isBuffer(value)
          ? value.toString()
          : value == null
            ? value
            : JSON.parse(JSON.stringify(value));
      }
    }
  }
}



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/utils/underscore.js
const underscore = function (str) {
  return str.replace(/([A-Z])/g, function (_, match) {
    return "_" + match.toLowerCase();
  });
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/api/normalize_options.js




const normalize_options = function (opts) {
  const options = {};
  // Merge with user options
  for (const opt in opts) {
    options[underscore(opt)] = opts[opt];
  }
  // Normalize option `bom`
  if (
    options.bom === undefined ||
    options.bom === null ||
    options.bom === false
  ) {
    options.bom = false;
  } else if (options.bom !== true) {
    return [
      new CsvError("CSV_OPTION_BOOLEAN_INVALID_TYPE", [
        "option `bom` is optional and must be a boolean value,",
        `got ${JSON.stringify(options.bom)}`,
      ]),
    ];
  }
  // Normalize option `delimiter`
  if (options.delimiter === undefined || options.delimiter === null) {
    options.delimiter = ",";
  } else if (Buffer.isBuffer(options.delimiter)) {
    options.delimiter = options.delimiter.toString();
  } else if (typeof options.delimiter !== "string") {
    return [
      new CsvError("CSV_OPTION_DELIMITER_INVALID_TYPE", [
        "option `delimiter` must be a buffer or a string,",
        `got ${JSON.stringify(options.delimiter)}`,
      ]),
    ];
  }
  // Normalize option `quote`
  if (options.quote === undefined || options.quote === null) {
    options.quote = '"';
  } else if (options.quote === true) {
    options.quote = '"';
  } else if (options.quote === false) {
    options.quote = "";
  } else if (Buffer.isBuffer(options.quote)) {
    options.quote = options.quote.toString();
  } else if (typeof options.quote !== "string") {
    return [
      new CsvError("CSV_OPTION_QUOTE_INVALID_TYPE", [
        "option `quote` must be a boolean, a buffer or a string,",
        `got ${JSON.stringify(options.quote)}`,
      ]),
    ];
  }
  // Normalize option `quoted`
  if (options.quoted === undefined || options.quoted === null) {
    options.quoted = false;
  } else {
    // todo
  }
  // Normalize option `escape_formulas`
  if (
    options.escape_formulas === undefined ||
    options.escape_formulas === null
  ) {
    options.escape_formulas = false;
  } else if (typeof options.escape_formulas !== "boolean") {
    return [
      new CsvError("CSV_OPTION_ESCAPE_FORMULAS_INVALID_TYPE", [
        "option `escape_formulas` must be a boolean,",
        `got ${JSON.stringify(options.escape_formulas)}`,
      ]),
    ];
  }
  // Normalize option `quoted_empty`
  if (options.quoted_empty === undefined || options.quoted_empty === null) {
    options.quoted_empty = undefined;
  } else {
    // todo
  }
  // Normalize option `quoted_match`
  if (
    options.quoted_match === undefined ||
    options.quoted_match === null ||
    options.quoted_match === false
  ) {
    options.quoted_match = null;
  } else if (!Array.isArray(options.quoted_match)) {
    options.quoted_match = [options.quoted_match];
  }
  if (options.quoted_match) {
    for (const quoted_match of options.quoted_match) {
      const isString = typeof quoted_match === "string";
      const isRegExp = quoted_match instanceof RegExp;
      if (!isString && !isRegExp) {
        return [
          new CsvError("CSV_OPTION_QUOTED_MATCH", [
            "option `quoted_match` must be a string or a regex,",
            `got ${JSON.stringify(options.quoted_match)}`,
          ]),
        ];
      }
    }
  }
  // Normalize option `quoted_string`
  if (options.quoted_string === undefined || options.quoted_string === null) {
    options.quoted_string = false;
  } else {
    // todo
  }
  // Normalize option `eof`
  if (options.eof === undefined || options.eof === null) {
    options.eof = true;
  } else {
    // todo
  }
  // Normalize option `escape`
  if (options.escape === undefined || options.escape === null) {
    options.escape = '"';
  } else if (Buffer.isBuffer(options.escape)) {
    options.escape = options.escape.toString();
  } else if (typeof options.escape !== "string") {
    return [
      Error(
        `Invalid Option: escape must be a buffer or a string, got ${JSON.stringify(options.escape)}`,
      ),
    ];
  }
  if (options.escape.length > 1) {
    return [
      Error(
        `Invalid Option: escape must be one character, got ${options.escape.length} characters`,
      ),
    ];
  }
  // Normalize option `header`
  if (
    options.header === undefined ||
    options.header === null ||
    options.header === false
  ) {
    options.header = false;
  } else if (options.header !== true) {
    throw new CsvError(
      "CSV_INVALID_OPTION_HEADER",
      [
        "option `header` is expected to be a boolean,",
        `got ${JSON.stringify(options.header)}`,
      ],
      options,
    );
  }
  // Normalize option `headers_as_comment`
  if (
    options.header_as_comment === undefined ||
    options.header_as_comment === null ||
    options.header_as_comment === false
  ) {
    options.header_as_comment = false;
  } else if (options.header_as_comment === true) {
    options.header_as_comment = "#";
  } else if (Buffer.isBuffer(options.header_as_comment)) {
    options.header_as_comment = options.header_as_comment.toString();
  } else if (typeof options.header_as_comment !== "string") {
    throw new CsvError(
      "CSV_INVALID_OPTION_HEADER_AS_COMMENT",
      [
        "option `header_as_comment` must be a boolean, a string or a buffer,",
        `got ${JSON.stringify(options.header_as_comment)}`,
      ],
      options,
    );
  }
  // if (options.header_as_comment && !options.comment?.length) {
  //   throw new CsvError(
  //     "CSV_INVALID_OPTION_COMMENT",
  //     [
  //       "option `comment` must be a non empty string or buffer when using `header_as_comment`,",
  //       `got ${JSON.stringify(options.comment)}`,
  //     ],
  //     options,
  //   );
  // }
  // Header is always enabled with `header_as_comment`
  // if (options.header_as_comment === true) {
  //   options.header = true;
  // }
  // Normalize option `columns`
  const [errColumns, columns] = normalize_columns(options.columns);
  if (errColumns !== undefined) return [errColumns];
  options.columns = columns;
  // Normalize option `quoted`
  if (options.quoted === undefined || options.quoted === null) {
    options.quoted = false;
  } else {
    // todo
  }
  // Normalize option `cast`
  if (options.cast === undefined || options.cast === null) {
    options.cast = {};
  } else {
    // todo
  }
  // Normalize option cast.bigint
  if (options.cast.bigint === undefined || options.cast.bigint === null) {
    // Cast boolean to string by default
    options.cast.bigint = (value) => "" + value;
  }
  // Normalize option cast.boolean
  if (options.cast.boolean === undefined || options.cast.boolean === null) {
    // Cast boolean to string by default
    options.cast.boolean = (value) => (value ? "1" : "");
  }
  // Normalize option cast.date
  if (options.cast.date === undefined || options.cast.date === null) {
    // Cast date to timestamp string by default
    options.cast.date = (value) => "" + value.getTime();
  }
  // Normalize option cast.number
  if (options.cast.number === undefined || options.cast.number === null) {
    // Cast number to string using native casting by default
    options.cast.number = (value) => "" + value;
  }
  // Normalize option cast.object
  if (options.cast.object === undefined || options.cast.object === null) {
    // Stringify object as JSON by default
    options.cast.object = (value) => JSON.stringify(value);
  }
  // Normalize option cast.string
  if (options.cast.string === undefined || options.cast.string === null) {
    // Leave string untouched
    options.cast.string = function (value) {
      return value;
    };
  }
  // Normalize option `on_record`
  if (
    options.on_record !== undefined &&
    typeof options.on_record !== "function"
  ) {
    return [Error(`Invalid Option: "on_record" must be a function.`)];
  }
  // Normalize option `quote_record_delimiter`
  if (
    options.quote_record_delimiter === undefined ||
    options.quote_record_delimiter === null
  ) {
    options.quote_record_delimiter = !options.record_delimiter;
  } else if (typeof options.quote_record_delimiter !== "boolean") {
    return [
      new CsvError("CSV_OPTION_QUOTE_RECORD_DELIMITER_INVALID_TYPE", [
        "option `quote_record_delimiter` must be a boolean,",
        `got ${JSON.stringify(options.quote_record_delimiter)}`,
      ]),
    ];
  }
  // Normalize option `record_delimiter`
  if (
    options.record_delimiter === undefined ||
    options.record_delimiter === null
  ) {
    options.record_delimiter = "\n";
  } else if (Buffer.isBuffer(options.record_delimiter)) {
    options.record_delimiter = options.record_delimiter.toString();
  } else if (typeof options.record_delimiter !== "string") {
    return [
      Error(
        `Invalid Option: record_delimiter must be a buffer or a string, got ${JSON.stringify(options.record_delimiter)}`,
      ),
    ];
  }
  switch (options.record_delimiter) {
    case "unix":
      options.record_delimiter = "\n";
      break;
    case "mac":
      options.record_delimiter = "\r";
      break;
    case "windows":
      options.record_delimiter = "\r\n";
      break;
    case "ascii":
      options.record_delimiter = "\u001e";
      break;
    case "unicode":
      options.record_delimiter = "\u2028";
      break;
  }
  return [undefined, options];
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/api/index.js




const bom_utf8 = Buffer.from([239, 187, 191]);
// True when appending `separator` after `value` would let `parse` find
// `separator` starting inside `value`. Besides the field containing the whole
// separator, this also covers boundary fusion: a field whose tail is a
// non-empty prefix of a multi-character separator merges with the appended
// separator (eg value "a:" + delimiter "::" => "a:::", matched at offset 1).
// Such fields must be quoted to round-trip, like RFC 4180 fields containing the
// delimiter, generalized to multi-character delimiters and record delimiters.
const emits_separator = function (value, separators) {
  return separators.some(
    (separator) =>
      separator.length !== 0 &&
      (value.indexOf(separator) !== -1 ||
        (separator.length > 1 &&
          (value + separator).indexOf(separator) < value.length)),
  );
};
// True when `value` matches one of the `quoted_match` patterns. The regexps
// come from the user and the same objects are reused for every field, so the
// test must not depend on their state: `RegExp.prototype.test` advances
// `lastIndex` on a global or sticky regexp, which would make a match in one
// field move where the next field starts matching. `String.prototype.search`
// searches from the start and restores `lastIndex`, and is equivalent to
// `test` for the stateless regexps.
const matches_quoted_match = function (value, quoted_match) {
  if (!quoted_match) return false;
  return quoted_match.some((pattern) =>
    typeof pattern === "string"
      ? value.indexOf(pattern) !== -1
      : value.search(pattern) !== -1,
  );
};

const stringifier = function (options, state, info) {
  return {
    options: options,
    state: state,
    info: info,
    __transform: function (chunk, push) {
      // Chunk validation
      if (!Array.isArray(chunk) && typeof chunk !== "object") {
        return Error(
          `Invalid Record: expect an array or an object, got ${JSON.stringify(chunk)}`,
        );
      }
      // Detect columns from the first record
      if (this.info.records === 0) {
        if (Array.isArray(chunk)) {
          if (
            this.options.header === true &&
            this.options.columns === undefined
          ) {
            return Error(
              "Undiscoverable Columns: header option requires column option or object records",
            );
          }
        } else if (this.options.columns === undefined) {
          const [err, columns] = normalize_columns(Object.keys(chunk));
          if (err) return;
          this.options.columns = columns;
        }
      }
      // Emit the header
      if (this.info.records === 0) {
        this.bom(push);
        const err = this.headers(push);
        if (err) return err;
      }
      // Emit and stringify the record if an object or an array
      try {
        // this.emit('record', chunk, this.info.records);
        if (this.options.on_record) {
          this.options.on_record(chunk, this.info.records);
        }
      } catch (err) {
        return err;
      }
      // Convert the record into a string
      let err, chunk_string;
      if (this.options.eof) {
        [err, chunk_string] = this.stringify(chunk);
        if (err) return err;
        if (chunk_string === undefined) {
          return;
        } else {
          chunk_string = chunk_string + this.options.record_delimiter;
        }
      } else {
        [err, chunk_string] = this.stringify(chunk);
        if (err) return err;
        if (chunk_string === undefined) {
          return;
        } else {
          if (this.options.header || this.info.records) {
            chunk_string = this.options.record_delimiter + chunk_string;
          }
        }
      }
      // Emit the csv
      this.info.records++;
      push(chunk_string);
    },
    stringify: function (chunk, chunkIsHeader = false) {
      if (typeof chunk !== "object") {
        return [undefined, chunk];
      }
      const { columns } = this.options;
      const record = [];
      // Record is an array
      if (Array.isArray(chunk)) {
        // We are getting an array but the user has specified output columns. In
        // this case, we respect the columns indexes
        const length = columns
          ? Math.min(chunk.length, columns.length)
          : chunk.length;
        // Cast record elements
        for (let i = 0; i < length; i++) {
          const field = chunk[i];
          const [err, value] = this.__cast(field, {
            index: i,
            column: i,
            records: this.info.records,
            header: chunkIsHeader,
          });
          if (err) return [err];
          record[i] = [value, field];
        }
        // Record is a literal object
        // `columns` is always defined: it is either provided or discovered.
      } else {
        for (let i = 0; i < columns.length; i++) {
          const field = get(chunk, columns[i].key);
          const [err, value] = this.__cast(field, {
            index: i,
            column: columns[i].key,
            records: this.info.records,
            header: chunkIsHeader,
          });
          if (err) return [err];
          record[i] = [value, field];
        }
      }
      let csvrecord = "";
      for (let i = 0; i < record.length; i++) {
        let options, err;

        let [value, field] = record[i];
        if (typeof value === "string") {
          options = this.options;
        } else if (is_object(value)) {
          // Value is considerered as a mix of a value and options
          options = { ...value };
          value = options.value;
          delete options.value;
          if (
            typeof value !== "string" &&
            value !== undefined &&
            value !== null
          ) {
            if (err)
              return [
                Error(
                  `Invalid Casting Value: returned value must return a string, null or undefined, got ${JSON.stringify(value)}`,
                ),
              ];
          }
          // Merge global options with the ones returned by cast
          options = { ...this.options, ...options };
          [err, options] = normalize_options(options);
          if (err !== undefined) {
            return [err];
          }
        } else if (value === undefined || value === null) {
          options = this.options;
        } else {
          return [
            Error(
              `Invalid Casting Value: returned value must return a string, an object, null or undefined, got ${JSON.stringify(value)}`,
            ),
          ];
        }
        const {
          delimiter,
          escape,
          quote,
          quoted,
          quoted_empty,
          quoted_string,
          quoted_match,
          record_delimiter,
          quote_record_delimiter,
          escape_formulas,
        } = options;
        if ("" === value && "" === field) {
          const quotedMatch = matches_quoted_match(value, quoted_match);
          const shouldQuote =
            quotedMatch ||
            true === quoted_empty ||
            (true === quoted_string && false !== quoted_empty);
          if (shouldQuote === true) {
            value = quote + value + quote;
          }
          csvrecord += value;
        } else if (value) {
          if (typeof value !== "string") {
            return [
              Error(
                `Formatter must return a string, null or undefined, got ${JSON.stringify(value)}`,
              ),
            ];
          }
          const containsdelimiter = emits_separator(value, [delimiter]);
          const containsQuote = quote !== "" && value.indexOf(quote) >= 0;
          const containsEscape = value.indexOf(escape) >= 0 && escape !== quote;
          // Testing `\n` and `\r` covers the three sequences `parse` discovers
          const containsRecordDelimiter = emits_separator(value, [
            record_delimiter,
            ...(quote_record_delimiter === false ? [] : ["\n", "\r"]),
          ]);
          const quotedString = quoted_string && typeof field === "string";
          const quotedMatch = matches_quoted_match(value, quoted_match);
          // See https://github.com/adaltas/node-csv/pull/387
          // More about CSV injection or formula injection, when websites embed
          // untrusted input inside CSV files:
          // https://owasp.org/www-community/attacks/CSV_Injection
          // http://georgemauer.net/2017/10/07/csv-injection.html
          // Apple Numbers unicode normalization is empirical from testing
          if (escape_formulas) {
            switch (value[0]) {
              case "-":
                if (typeof field === "number" || typeof field === "bigint") {
                  break;
                }
                value = `'${value}`;
                break;
              case "=":
              case "+":
              case "@":
              case "\t":
              case "\r":
              case "\uFF1D": // Unicode '='
              case "\uFF0B": // Unicode '+'
              case "\uFF0D": // Unicode '-'
              case "\uFF20": // Unicode '@'
                value = `'${value}`;
                break;
            }
          }
          const shouldQuote =
            containsQuote === true ||
            containsdelimiter ||
            containsRecordDelimiter ||
            quoted ||
            quotedString ||
            quotedMatch;
          if (shouldQuote === true && containsEscape === true) {
            value = value.replaceAll(escape, () => escape + escape);
          }
          if (containsQuote === true) {
            value = value.replaceAll(quote, () => escape + quote);
          }
          if (shouldQuote === true) {
            value = quote + value + quote;
          }
          csvrecord += value;
        } else if (
          quoted_empty === true ||
          (field === "" && quoted_string === true && quoted_empty !== false)
        ) {
          csvrecord += quote + quote;
        }
        if (i !== record.length - 1) {
          csvrecord += delimiter;
        }
      }
      return [undefined, csvrecord];
    },
    bom: function (push) {
      if (this.options.bom !== true) {
        return;
      }
      push(bom_utf8);
    },
    headers: function (push) {
      if (this.options.header === false) {
        return;
      }
      if (this.options.columns === undefined) {
        return;
      }
      let err;
      let headers = this.options.columns.map((column) => column.header);
      if (this.options.eof) {
        [err, headers] = this.stringify(headers, true);
        headers += this.options.record_delimiter;
      } else {
        [err, headers] = this.stringify(headers, true);
      }
      if (err) return err;
      if (this.options.header_as_comment) {
        headers = this.options.header_as_comment + " " + headers;
      }
      push(headers);
    },
    __cast: function (value, context) {
      const type = typeof value;
      try {
        if (type === "string") {
          // Fine for 99% of the cases
          return [undefined, this.options.cast.string(value, context)];
        } else if (type === "bigint") {
          return [undefined, this.options.cast.bigint(value, context)];
        } else if (type === "number") {
          return [undefined, this.options.cast.number(value, context)];
        } else if (type === "boolean") {
          return [undefined, this.options.cast.boolean(value, context)];
        } else if (value instanceof Date) {
          return [undefined, this.options.cast.date(value, context)];
        } else if (type === "object" && value !== null) {
          return [undefined, this.options.cast.object(value, context)];
        } else if (value === null && this.options.cast.null !== undefined) {
          return [undefined, this.options.cast.null(value, context)];
        } else if (
          value === undefined &&
          this.options.cast.undefined !== undefined
        ) {
          return [undefined, this.options.cast.undefined(value, context)];
        } else {
          return [undefined, value];
        }
      } catch (err) {
        return [err];
      }
    },
  };
};



;// CONCATENATED MODULE: ./node_modules/csv-stringify/lib/sync.js
/*
CSV Stringify

Please look at the [Sync API](https://csv.js.org/stringify/api/sync/) for
additional information.
*/




const stringify = function (records, opts = {}) {
  const data = [];
  const [err, options] = normalize_options(opts);
  if (err !== undefined) throw err;
  const state = {
    stop: false,
  };
  // Information
  const info = {
    records: 0,
  };
  const api = stringifier(options, state, info);
  for (const record of records) {
    const err = api.__transform(record, function (record) {
      data.push(record);
    });
    if (err !== undefined) throw err;
  }
  if (data.length === 0) {
    api.bom((d) => {
      data.push(d);
    });
    const err = api.headers((headers) => {
      data.push(headers);
    });
    if (err !== undefined) throw err;
  }
  return data.join("");
};



;// CONCATENATED MODULE: ./src/visitors/format.ts

const COLUMNS = ['path', 'human', 'ai', 'total'];
/** RFC 4180 in UTF-8, without a byte order mark. */
const csv = (rows, header) => stringify([...rows], {
    columns: COLUMNS,
    header,
    record_delimiter: 'windows',
    // Spreadsheets run cells that begin with `=`, `+`, `-` or `@`, …
    escape_formulas: true,
    // … some of them also behind white space or characters that do not show, …
    cast: { string: (value) => (/^[\s\p{Cc}\p{Cf}]/u.test(value) ? `'${value}` : value) },
    // … and where the comma is for decimals they split unquoted cells at semicolons.
    quoted_match: [/[;\t]/],
    // With a record delimiter of two characters, a cell could otherwise hold one of them bare.
    quote_record_delimiter: true,
});
const json = ({ path, human, ai, total }) => JSON.stringify({ path, human, ai, total });
const FORMATS = {
    '.csv': { begin: csv([], true), rows: (rows) => csv(rows, false), end: () => '' },
    '.json': {
        begin: '[',
        rows: (rows, first) => rows.map((row, i) => `${first && i === 0 ? '\n' : ',\n'}${json(row)}`).join(''),
        end: (empty) => (empty ? ']\n' : '\n]\n'),
    },
    '.ndjson': { begin: '', rows: (rows) => rows.map((row) => `${json(row)}\n`).join(''), end: () => '' },
};
function isExtension(text) {
    return Object.hasOwn(FORMATS, text);
}

;// CONCATENATED MODULE: ./src/visitors/listing.ts

/**
 * Pages of results of one period that the service can claim at most: no run lives long enough to read more of them at
 * 100 requests an hour (a job of a hosted runner ends after 6 h).
 */
const MAX_PAGES = 1000;
/** Pages of results in a row that may bring nothing but repeated rows. */
const MAX_BARREN = 3;
/**
 * The rows of a period, one page of results at a time: asks for no page before the one before was taken, and for none
 * too many. Remembers the paths and nothing else.
 * @throws {ActionError} `bad-response` when the service claims more rows and sends none, or would do so for ever
 */
async function* listing(read, { pageSize, maxRows }) {
    const seen = new Set();
    let barren = 0;
    for (let pages = 1;; pages++) {
        const page = await read((pages - 1) * pageSize);
        const left = maxRows - seen.size;
        const fresh = page.rows.filter(({ path }) => {
            const known = seen.size;
            return seen.add(path).size > known;
        });
        yield {
            rows: fresh.slice(0, left),
            repeated: page.rows.length - fresh.length,
            totals: page.totals,
            complete: !page.hasMore && fresh.length <= left,
        };
        if (!page.hasMore || fresh.length >= left)
            return;
        barren = fresh.length === 0 ? barren + 1 : 0;
        if (page.rows.length === 0)
            throw new Endless(pages, 'this one is empty');
        if (barren >= MAX_BARREN)
            throw new Endless(pages, 'it repeats the same rows');
        if (pages >= MAX_PAGES)
            throw new Endless(pages, 'no site has so many pages');
    }
}
class Endless extends errors/* ActionError */.lZ {
    constructor(pages, fault) {
        super('bad-response', `The service says that more visitors follow after page ${pages.toLocaleString('en-US')} of its results, but ${fault}. Nothing was written: run again later, or set \`max-rows\`.`);
    }
}

;// CONCATENATED MODULE: ./src/visitors/place.ts



/**
 * A file in the workspace, whether it exists or not. Nothing is made yet.
 * @throws {BadInput} when it is elsewhere, also by way of a symbolic link, or cannot be a file
 */
async function placeOf(workspace, file) {
    const root = await (0,promises_namespaceObject.realpath)(workspace);
    const name = (0,external_node_path_namespaceObject.relative)((0,external_node_path_namespaceObject.resolve)(workspace), (0,external_node_path_namespaceObject.resolve)(workspace, file));
    if (isOutside(name))
        throw outside();
    const path = await realPath((0,external_node_path_namespaceObject.join)(root, name)).catch((cause) => {
        throw new errors/* BadInput */.kp('file', `cannot be used (${(0,errors/* messageOf */.bD)(cause)})`, REMEDY, { cause });
    });
    if (isOutside((0,external_node_path_namespaceObject.relative)(root, path)))
        throw outside();
    return { path, name: name.split(external_node_path_namespaceObject.sep).join('/') };
}
const REMEDY = 'Write a path in the workspace, such as `reports/visitors.csv`.';
const outside = () => new errors/* BadInput */.kp('file', 'leaves the workspace', REMEDY);
/** `..hidden` is a name like any other. */
const isOutside = (name) => name === '' || name === '..' || name.startsWith(`..${external_node_path_namespaceObject.sep}`) || (0,external_node_path_namespaceObject.isAbsolute)(name);
/** The path with the links resolved of the part that exists; a link that leads nowhere is an error. */
async function realPath(path, behind = '') {
    const exists = await (0,promises_namespaceObject.lstat)(path).then(() => true, (error) => {
        if (error.code === 'ENOENT')
            return false;
        throw error;
    });
    if (!exists)
        return realPath((0,external_node_path_namespaceObject.dirname)(path), (0,external_node_path_namespaceObject.join)(path.slice((0,external_node_path_namespaceObject.dirname)(path).length), behind));
    const real = await (0,promises_namespaceObject.realpath)(path);
    const directory = (await (0,promises_namespaceObject.stat)(real)).isDirectory();
    if (directory === (behind === ''))
        throw new Error(directory ? 'it is a directory' : `${path} is a file`);
    return (0,external_node_path_namespaceObject.join)(real, behind);
}

;// CONCATENATED MODULE: ./src/visitors/progress.ts

const EVERY_MS = 1000;
/** Shows how far the reading got, at most once a second; a run of less than that says nothing. */
function progress(deps) {
    const startedAt = deps.now();
    let lastLine = startedAt;
    let all = 0;
    return (requests, rows) => {
        all += rows;
        const now = deps.now();
        if (now - lastLine < EVERY_MS)
            return;
        lastLine = now;
        const rate = Math.round((all * 1000) / (now - startedAt));
        deps.log(`  ${(0,core_text/* clock */.pm)(now - startedAt).padStart(5)}  ${(0,core_text/* count */.U9)(requests, 'page')}, ${(0,core_text/* count */.U9)(all, 'row')}, ${(0,core_text/* count */.U9)(rate, 'row')} a second`);
    };
}

;// CONCATENATED MODULE: ./src/visitors/export.ts









/**
 * Exports the visitors of a period to a file in the workspace: whole, or not at all.
 * @throws {ActionError} when that cannot be done; an earlier file is then as it was
 * @throws {Cancelled} as soon as the run is told to stop
 */
async function exportVisitors(deps, client, inputs, workspace) {
    const startedAt = deps.now();
    const place = await placeOf(workspace, inputs.file);
    const file = await openAside(place.path).catch((cause) => {
        throw new errors/* BadInput */.kp('file', `cannot be written (${(0,errors/* messageOf */.bD)(cause)})`, 'Write another path.', { cause });
    });
    try {
        const log = progress(deps);
        const now = await exportRows(client, inputs, writerOf(file, place), log);
        const comparison = inputs.compare ? await compareWith(now, client, inputs, log) : undefined;
        await onDisk(place, file.keep());
        return {
            project: inputs.access.projectId,
            period: inputs.period,
            file: place.name,
            rows: now.rows,
            totals: now.totals,
            top: now.top,
            complete: now.complete,
            repeated: now.repeated,
            requests: client.requests(),
            durationMs: deps.now() - startedAt,
            comparison,
        };
    }
    catch (error) {
        await file.discard();
        throw error;
    }
}
const writerOf = (file, place) => (text) => onDisk(place, file.write(text));
/** Writes each batch before it asks for the next one, so that memory holds one. */
async function exportRows(client, inputs, write, log) {
    const format = FORMATS[inputs.format];
    const top = ranking(inputs.top, ({ total }) => total);
    const pathTotals = new Map();
    let [rows, repeated] = [0, 0];
    let last;
    await write(format.begin);
    for await (const batch of batches(client, inputs, inputs.period)) {
        if (batch.rows.length > 0)
            await write(format.rows(batch.rows, rows === 0));
        for (const row of batch.rows)
            top.add(row);
        if (inputs.compare)
            addTotals(pathTotals, batch.rows);
        rows += batch.rows.length;
        repeated += batch.repeated;
        last = batch;
        log(client.requests(), batch.rows.length);
    }
    await write(format.end(rows === 0));
    return { rows, repeated, top: top.list(), pathTotals, ...endOf(last) };
}
/** Reads the period before, and keeps of it what the comparison needs. */
async function compareWith(now, client, inputs, log) {
    const period = periodBefore(inputs.period);
    const pathTotals = new Map();
    let last;
    for await (const batch of batches(client, inputs, period)) {
        addTotals(pathTotals, batch.rows);
        last = batch;
        log(client.requests(), batch.rows.length);
    }
    const { totals, complete } = endOf(last);
    const moved = movers(now.pathTotals, pathTotals, inputs.top, now.complete && complete);
    return { period, totals, complete, pathTotals, movers: moved };
}
function batches(client, inputs, period) {
    const { maxRows } = inputs;
    const pageSize = Math.min(inputs.pageSize, maxRows);
    return listing((offset) => client.page({ period, limit: pageSize, offset }), { pageSize, maxRows });
}
/** A listing has one batch at least. */
function endOf(last) {
    const { totals = { human: 0, ai: 0, total: 0 }, complete = false } = last ?? {};
    return { totals, complete };
}
/** What goes wrong with the file, in words for people. */
async function onDisk(place, step) {
    try {
        return await step;
    }
    catch (cause) {
        throw new errors/* ActionError */.lZ('internal', `The file \`${place.name}\` could not be written (${(0,errors/* messageOf */.bD)(cause)}). An earlier one is as it was; look at the disk of the runner.`, { cause });
    }
}

;// CONCATENATED MODULE: ./src/visitors/outputs.ts


/** The outputs of `visitors`, in the order of its action.yml (contract 7). `result` holds all others as JSON. */
const OUTPUTS = [
    'file',
    'rows',
    'human',
    'ai',
    'total',
    'date-from',
    'date-to',
    'top-pages',
    'top-paths',
    'requests',
    'complete',
];
/** Without a report nothing was written; what is not known stays empty. */
function writeOutputs(runner, requests, report) {
    const values = {
        ...(report === undefined ? { complete: 'false' } : valuesOf(report)),
        requests: String(requests),
    };
    const all = OUTPUTS.map((name) => [name, values[name] ?? '']);
    for (const [name, value] of all)
        runner.output(name, value);
    runner.output('result', JSON.stringify(Object.fromEntries(all)));
}
function valuesOf({ file, rows, totals, period, top, complete }) {
    return {
        file,
        rows: String(rows),
        human: String(totals.human),
        ai: String(totals.ai),
        total: String(totals.total),
        'date-from': isoDate(period.from),
        'date-to': isoDate(period.to),
        'top-pages': JSON.stringify(top),
        'top-paths': [...new Set(top.map(({ path }) => promptPath(path)))].join('\n'),
        complete: String(complete),
    };
}
/**
 * A path for a prompt, on one line and as a URL would write it: what anonymous visitors ask for can hold line breaks,
 * sentences and hidden characters, which must not read as an instruction. Letters of any script stay readable.
 */
function promptPath(path) {
    return (0,core_text/* cut */.Jj)(path, 500).replace(/[\s\p{C}"<>`]/gu, (char) => encodeURIComponent(char));
}

;// CONCATENATED MODULE: ./src/visitors/label.ts

/** Longer paths are cut before anything is measured. */
const MAX_LENGTH = 4000;
/** A path on one line of at most `width` columns, without characters that do not show; '' where none does. */
function pathLabel(path, width) {
    const plain = (0,core_text/* oneLine */.TN)(path, MAX_LENGTH)
        .replace(/\p{Cf}/gu, '')
        .trim();
    return cutMiddle(plain.replace(OVERLONG, '□'), width);
}
/** At most `width` columns: the end of a path says more than its middle. */
function cutMiddle(text, width) {
    const characters = Array.from(text);
    if (widthOf(characters) <= width)
        return text;
    const tail = Math.floor(width / 2);
    return `${takeWidth(characters, width - tail - 1).join('')}…${takeWidth(characters.toReversed(), tail).toReversed().join('')}`;
}
/** The widest Latin letters and, to be safe, everything that is not Latin: most scripts have some that are square. */
const WIDE = /[^\x20-\x7e\u00c0-\u017f]|[@%MWmwÆæŒœĲŴŵ]/u;
/** Single characters as long as a word or a sentence: Arabic ligatures and cuneiform. */
const OVERLONG = /[\ufdf0-\ufdfd\u{12000}-\u{1254f}]/gu;
const widthOf = (characters) => characters.reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0);
/** As many from the start as fit. */
function takeWidth(characters, width) {
    let room = width;
    const end = characters.findIndex((char) => {
        room -= widthOf([char]);
        return room < 0;
    });
    return characters.slice(0, end < 0 ? characters.length : end);
}

;// CONCATENATED MODULE: ./src/visitors/chart.ts


/** More bars than these are no longer read. */
const MAX_BARS = 20;
/**
 * A bar of human and AI visitors for each page, as Mermaid that GitHub renders; '' where there is nothing to draw.
 *
 * The chart knows no stacked bars, but draws one series over the other: the sum goes behind, the human part in front.
 * It has no axis of values because bars begin at the axis, while its labels leave a margin before zero: with labels, a
 * page without visitors has a bar. The figures are in the table.
 */
function chart(rows) {
    const bars = rows.slice(0, MAX_BARS);
    const sums = bars.map(({ human, ai }) => human + ai);
    const longest = Math.max(0, ...sums);
    if (longest === 0)
        return '';
    const config = {
        xyChart: {
            width: 900,
            height: 50 + 34 * bars.length,
            plotReservedSpacePercent: 40,
            yAxis: { showLabel: false, showTick: false, showAxisLine: false, showTitle: false },
        },
        themeVariables: { xyChart: { plotColorPalette: '#d29922, #1f6feb', backgroundColor: 'transparent' } },
    };
    const lines = [
        `%%{init: ${JSON.stringify(config)}}%%`,
        'xychart-beta horizontal',
        '  title "Human (blue) and AI (orange) visitors"',
        `  x-axis [${bars.map(({ path }, i) => `"${i + 1}  ${label(path)}"`).join(', ')}]`,
        `  y-axis 0 --> ${longest}`,
        `  bar [${sums.join(', ')}]`,
        `  bar [${bars.map(({ human }) => human).join(', ')}]`,
    ];
    return (0,core_text/* fence */.EU)(lines.join('\n'), 'mermaid');
}
/**
 * Columns of about 7 pixels. Mermaid shows no label at all when one of them takes more room than the bars leave, 540
 * pixels, so the longest label must fit with the widest characters.
 */
const LABEL_WIDTH = 40;
/**
 * What Mermaid takes for its own: the end of a string, Markdown in one, entity codes (`#…;`), directives (`%%{…}`)
 * and tags. Look-alikes take their place.
 */
const LOOK_ALIKES = {
    '"': '″',
    '`': "'",
    '#': '＃',
    ';': '；',
    '{': '(',
    '}': ')',
    '<': '‹',
    '>': '›',
    '\\': '＼',
};
const label = (path) => pathLabel(path, LABEL_WIDTH).replace(/["`#;{}<>\\]/g, (char) => LOOK_ALIKES[char] ?? '');

;// CONCATENATED MODULE: ./src/visitors/summary.ts




/** The step summary as Markdown: three figures, with their change; the chart; the table; what moved; the small print. */
function summaryOf(report) {
    const { totals, rows, top, comparison } = report;
    const parts = [
        `## ${totals.total === 0 ? 'No visitors' : (0,core_text/* count */.U9)(totals.total, 'visitor')} from ${describePeriod(report.period)}`,
        summary_figures(report),
        rows === 0 ? 'The service knows no page with visitors in this time.' : `### ${topTitle(report)}`,
        chart(top),
        rows === 0 ? '' : table(top, comparison),
        comparison === undefined ? '' : moved(comparison, report.complete),
        smallPrint(report),
    ];
    return `${parts.filter(Boolean).join('\n\n')}\n`;
}
function summary_figures({ totals, comparison, period }) {
    const number = (value) => `**${value.toLocaleString('en-US')}**`;
    const head = ['| Visitors | Human | AI | All |', '| :-- | --: | --: | --: |'];
    const now = `| ${describePeriod(period)} | ${number(totals.human)} | ${number(totals.ai)} | ${number(totals.total)} |`;
    if (comparison === undefined)
        return [...head, now].join('\n');
    const { totals: was } = comparison;
    const before = cells(describePeriod(comparison.period), plain(was.human), plain(was.ai), plain(was.total));
    const change = cells('Change', changeOf(totals.human, was.human), changeOf(totals.ai, was.ai), changeOf(totals.total, was.total));
    return [...head, now, before, change].join('\n');
}
function topTitle({ rows, top, complete }) {
    if (rows === 1 && complete)
        return 'The one page with visitors';
    if (rows === top.length && complete)
        return `All ${rows} pages with visitors`;
    const of = complete ? ` of ${plain(rows)}` : '';
    return top.length === 1 ? `The most visited page${of}` : `The ${top.length} most visited pages${of}`;
}
function table(top, comparison) {
    const change = ({ path, total }) => {
        if (comparison === undefined)
            return [];
        const before = comparison.pathTotals.get(path);
        return [before === undefined && !comparison.complete ? '' : changeOf(total, before ?? 0)];
    };
    const compared = comparison !== undefined;
    return [
        cells('', 'Page', 'Human', 'AI', 'All', ...(compared ? ['Change'] : [])),
        cells('--:', ':--', '--:', '--:', '--:', ...(compared ? ['--:'] : [])),
        ...top.map((row, i) => cells(plain(i + 1), page(row.path), plain(row.human), plain(row.ai), plain(row.total), ...change(row))),
    ].join('\n');
}
function moved({ movers, complete }, nowComplete) {
    if (movers.length === 0)
        return '';
    const partly = complete && nowComplete ? '' : '\n\nOf the pages that were read in both periods.';
    const line = ({ path, before, now }) => cells(page(path), plain(before), plain(now), signed(now - before), now === 0 ? 'gone' : changeOf(now, before));
    return [
        `### What moved most${partly}\n`,
        cells('Page', 'Before', 'Now', 'Visitors', 'Change'),
        cells(':--', '--:', '--:', '--:', '--:'),
        ...movers.map(line),
    ].join('\n');
}
function smallPrint({ rows, file, requests, durationMs, complete, totals }) {
    const cut = complete ? '' : ' (the first ones only: `max-rows`)';
    const both = totals.human + totals.ai > totals.total ? ' · who came as both counts once in all' : '';
    return `<sub>${(0,core_text/* count */.U9)(rows, 'row')}${cut} in ${page(file)} · ${(0,core_text/* count */.U9)(requests, 'request')} · ${(0,core_text/* duration */.p0)(durationMs)}${both}</sub>`;
}
const PATH_WIDTH = 90;
/** In a code span nothing of a path means anything. */
const page = (path) => (0,core_text/* code */.aY)(pathLabel(path, PATH_WIDTH)) || '(blank)';
const cells = (...texts) => `| ${texts.join(' | ')} |`;
const plain = (value) => value.toLocaleString('en-US');
/** With a real minus sign, which tables line up. */
function signed(value, digits = 0) {
    const text = Math.abs(value).toLocaleString('en-US', {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
    });
    return `${value < 0 ? '−' : '+'}${text}`;
}
/** `+12 %`, `−3.4 %`, `±0 %`, or `new` where there was nothing. */
function changeOf(now, before) {
    if (before === 0)
        return now === 0 ? '±0 %' : 'new';
    const percent = ((now - before) / before) * 100;
    if (Math.abs(percent) < 0.05)
        return '±0 %';
    return `${signed(percent, Math.abs(percent) < 9.95 ? 1 : 0)} %`;
}

;// CONCATENATED MODULE: ./src/visitors/finish.ts





/** The log's first line. */
function header({ access, period, compare }) {
    const before = compare ? `, compared with ${describePeriod(periodBefore(period))}` : '';
    return `Docs agent ${version_VERSION} · visitors of ${access.projectId} from ${describePeriod(period)}${before}`;
}
/** Tells how the run ended, everywhere that people look: outputs, log, annotation and summary. */
function finish({ runner, log }, ending) {
    if (ending.kind === 'exported')
        writeOutputs(runner, ending.report.requests, ending.report);
    else
        writeOutputs(runner, ending.requests);
    if (ending.kind !== 'exported') {
        const { level, sign } = LEVELS[ending.kind];
        runner.annotate(level, (0,core_text/* plainText */.wh)(ending.sentence));
        runner.summary(`## ${sign} No visitors were exported\n\n${ending.sentence}\n`);
        return;
    }
    log(lastLine(ending.report));
    const repeated = repeatedWarning(ending.report);
    if (repeated !== '')
        runner.annotate('warning', repeated);
    runner.summary(summaryOf(ending.report));
}
const LEVELS = {
    skipped: { level: 'warning', sign: 'ℹ️' },
    cancelled: { level: 'error', sign: '⏹️' },
    failed: { level: 'error', sign: '❌' },
};
function lastLine({ rows, file, requests, durationMs, complete }) {
    const cut = complete ? '' : ', cut by max-rows';
    return `${(0,core_text/* count */.U9)(rows, 'row')} in ${file}${cut}: ${(0,core_text/* count */.U9)(requests, 'request')}, ${(0,core_text/* duration */.p0)(durationMs)}`;
}
function repeatedWarning({ repeated }) {
    if (repeated === 0)
        return '';
    const rows = repeated === 1 ? '1 row came twice and is' : `${(0,core_text/* count */.U9)(repeated, 'row')} came twice and are`;
    return `${rows} in the file once: pages changed ranks while they were read, so as many others may be missing. Run again where that matters.`;
}

;// CONCATENATED MODULE: ./src/visitors/inputs.ts







/** What the service allows. */
const MAX_PAGE_SIZE = 250;
/** Each costs a line of the summary and a place in two outputs. */
const MAX_TOP = 250;
/** A day; no runner waits longer than that. */
const MAX_TIMEOUT_MINUTES = 1440;
/**
 * @param now in ms since the epoch: the periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
function readVisitorsInputs(inputs, now) {
    const access = readAccess(inputs);
    const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' };
    const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' };
    const top = { min: 1, max: MAX_TOP, whole: true, unit: 'pages' };
    const timeout = { min: 0.01, max: MAX_TIMEOUT_MINUTES, unit: 'minutes' };
    return {
        access,
        period: readPeriod(inputs, now),
        ...readFile(inputs),
        pageSize: (0,read/* numberIn */.Po)(inputs, 'page-size', pageSize, MAX_PAGE_SIZE),
        maxRows: (0,read/* optionalNumberIn */.x3)(inputs, 'max-rows', maxRows) ?? Number.POSITIVE_INFINITY,
        top: (0,read/* numberIn */.Po)(inputs, 'top', top, 10),
        compare: (0,read/* flag */.Jt)(inputs, 'compare', false),
        timeoutMs: (0,read/* numberIn */.Po)(inputs, 'timeout-minutes', timeout, 10) * 60_000,
    };
}
function readPeriod(inputs, now) {
    const [from, to] = [readDate(inputs, 'date-from'), readDate(inputs, 'date-to')];
    if (from === undefined && to === undefined)
        return presetPeriod((0,read/* choice */.Yq)(inputs, 'period', PERIODS, '30d'), now);
    if (inputs('period') !== undefined) {
        throw new errors/* BadInput */.kp('period', 'is given together with dates', 'Keep `period`, or `date-from` and `date-to`.');
    }
    const [missing, given] = from === undefined ? ['date-from', 'date-to'] : ['date-to', 'date-from'];
    if (from === undefined || to === undefined) {
        throw new errors/* BadInput */.kp(missing, `is missing beside \`${given}\``, 'Write both dates, or a `period`.');
    }
    if (from < to)
        return { from, to };
    throw new errors/* BadInput */.kp('date-from', 'is not before `date-to`', 'Let `date-to` be the day after the last one.');
}
function readDate(inputs, name) {
    const text = inputs(name);
    const date = text === undefined ? undefined : parseDate(text);
    if (text === undefined || date !== undefined)
        return date;
    throw new errors/* BadInput */.kp(name, `is ${(0,core_text/* code */.aY)(text, 60)}, which no calendar has`, 'Write a UTC day such as `2026-07-01`, or a time such as `2026-07-01T06:00:00Z`.');
}
function readFile(inputs) {
    const file = inputs('file') ?? 'visitors.csv';
    const format = (0,external_node_path_namespaceObject.extname)(file).toLowerCase();
    const endings = Object.keys(FORMATS).map((ending) => (0,core_text/* code */.aY)(ending));
    if (!isExtension(format)) {
        throw new errors/* BadInput */.kp('file', `is ${(0,core_text/* code */.aY)(file, 60)}, whose ending tells no format`, `Let it end in ${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}.`);
    }
    if (!/\p{Cc}/u.test(file))
        return { file, format };
    throw new errors/* BadInput */.kp('file', 'holds a control character', 'Write the path alone, on one line.');
}

;// CONCATENATED MODULE: ./src/visitors/run.ts









/** One run of `visitors`, from its inputs to its summary. Never throws. */
async function run(deps, raw, environment) {
    const ending = await story(deps, raw, environment).catch((error) => endingOf(deps, error, 0));
    finish(deps, ending);
    return ending;
}
async function story(deps, raw, environment) {
    const startedAt = deps.now();
    maskSecrets(raw, deps.runner);
    if (raw('api-key') === undefined && secretsAreWithheld(await readTrigger(environment), environment.actor)) {
        return { kind: 'skipped', sentence: WITHHELD, requests: 0 };
    }
    const inputs = readVisitorsInputs(raw, startedAt);
    requireKey(inputs.access);
    deps.log(header(inputs));
    const { timeoutMs } = inputs;
    const client = visitorsClient(deps, inputs.access, { timeoutMs, deadline: startedAt + timeoutMs });
    try {
        return { kind: 'exported', report: await exportVisitors(deps, client, inputs, environment.workspace) };
    }
    catch (error) {
        return endingOf(deps, error, client.requests());
    }
}
const WITHHELD = 'The visitors were not read: GitHub gives no secrets to pull requests from forks nor to Dependabot, so `api-key` is empty. Run the workflow on `schedule` or `workflow_dispatch` instead.';
/** What was thrown, as an ending. Only a bug of ours has no sentence of its own; its stack is for those who debug. */
function endingOf({ runner }, error, requests) {
    if (error instanceof errors/* Cancelled */.cJ) {
        return { kind: 'cancelled', sentence: 'The run was cancelled, so nothing was written.', requests };
    }
    if (error instanceof errors/* ActionError */.lZ)
        return { kind: 'failed', sentence: error.message, requests };
    if (error instanceof Error && runner.debugging)
        runner.annotate('debug', error.stack ?? '');
    const what = (0,core_text/* oneLine */.TN)((0,errors/* messageOf */.bD)(error), 200);
    return {
        kind: 'failed',
        sentence: `Something happened that the action does not know how to handle (${what}). Nothing was written. Please report it, with the log of a run with debug logging.`,
        requests,
    };
}


/***/ }),

/***/ 8354:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  V: () => (/* binding */ enter)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(7598);
;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
// EXTERNAL MODULE: ./src/core/errors.ts
var errors = __nccwpck_require__(4296);
// EXTERNAL MODULE: ./src/http/transport-error.ts
var transport_error = __nccwpck_require__(4098);
;// CONCATENATED MODULE: ./src/http/fetch.ts

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
/**
 * Node's `fetch`, or one that goes through the environment's proxies; the code for them is loaded only then.
 * @throws {TransportError} when the environment names no usable proxy; the value may hold a password and is not shown
 */
async function fetchFor(env) {
    if (PROXY_VARIABLES.every((name) => (env[name] ?? '') === ''))
        return globalThis.fetch;
    const { fetchThroughProxy } = await Promise.all(/* import() */[__nccwpck_require__.e(565), __nccwpck_require__.e(856)]).then(__nccwpck_require__.bind(__nccwpck_require__, 7856));
    try {
        return fetchThroughProxy(globalThis.fetch);
    }
    catch (cause) {
        const names = PROXY_VARIABLES.filter((name) => (env[name] ?? '') !== '').join(' or ');
        throw new transport_error/* TransportError */.w('unusable', `${names} holds no URL of a proxy`, { cause });
    }
}

// EXTERNAL MODULE: ./src/inputs/read.ts
var read = __nccwpck_require__(4245);
;// CONCATENATED MODULE: ./src/runner/environment.ts
/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
function environmentOf(env) {
    const of = (name, missing = '') => env[`GITHUB_${name}`] || missing;
    return {
        eventName: of('EVENT_NAME'),
        eventPath: of('EVENT_PATH'),
        repository: of('REPOSITORY'),
        runId: of('RUN_ID', '0'),
        runAttempt: Number(of('RUN_ATTEMPT', '1')) || 1,
        workflow: of('WORKFLOW'),
        job: of('JOB'),
        step: of('ACTION'),
        actor: of('ACTOR'),
        workspace: of('WORKSPACE', '.'),
        serverUrl: of('SERVER_URL', 'https://github.com').replace(/\/+$/, ''),
        apiUrl: of('API_URL', 'https://api.github.com').replace(/\/+$/, ''),
    };
}
/** What tells this attempt from all others. */
const runName = ({ runId, runAttempt }) => `${runId}.${runAttempt}`;
/** The page of a run by its name, for people. */
function runUrlOf({ serverUrl, repository }, name) {
    const [id = '', attempt = '1'] = name.split('.');
    return `${serverUrl}/${repository}/actions/runs/${id}${attempt === '1' ? '' : `/attempts/${attempt}`}`;
}

;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: external "node:os"
const external_node_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");
;// CONCATENATED MODULE: external "os"
const external_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function utils_toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
//# sourceMappingURL=utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_namespaceObject.EOL);
}
function issue(name, message = '') {
    issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return utils_toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return utils_toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
//# sourceMappingURL=command.js.map
;// CONCATENATED MODULE: external "crypto"
const external_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("crypto");
;// CONCATENATED MODULE: external "fs"
const external_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/file-command.js
// For internal use, subject to change.
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */




function issueFileCommand(command, message) {
    const filePath = process.env[`GITHUB_${command}`];
    if (!filePath) {
        throw new Error(`Unable to find environment variable for file command ${command}`);
    }
    if (!fs.existsSync(filePath)) {
        throw new Error(`Missing file at path: ${filePath}`);
    }
    fs.appendFileSync(filePath, `${toCommandValue(message)}${os.EOL}`, {
        encoding: 'utf8'
    });
}
function prepareKeyValueMessage(key, value) {
    const delimiter = `ghadelimiter_${external_crypto_namespaceObject.randomUUID()}`;
    const convertedValue = utils_toCommandValue(value);
    // These should realistically never happen, but just in case someone finds a
    // way to exploit uuid generation let's not allow keys or values that contain
    // the delimiter.
    if (key.includes(delimiter)) {
        throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
    }
    if (convertedValue.includes(delimiter)) {
        throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
    }
    return `${key}<<${delimiter}${external_os_namespaceObject.EOL}${convertedValue}${external_os_namespaceObject.EOL}${delimiter}`;
}
//# sourceMappingURL=file-command.js.map
// EXTERNAL MODULE: ./src/core/text.ts
var core_text = __nccwpck_require__(2020);
;// CONCATENATED MODULE: ./src/runner/runner.ts


// Not from the index of @actions/core: that also loads its HTTP client and another undici, 40 ms of every start and
// 1 MB of every bundle, for the OIDC tokens that this action has no use for.




/** @param env the process's environment: it names the files that the runner reads afterwards */
function runnerOf(env) {
    const log = (line) => void process.stdout.write((0,core_text/* logLine */.BP)(line) + external_node_os_namespaceObject.EOL);
    /** A file that cannot be written must not keep the rest from being said. */
    const append = (variable, text) => {
        const file = env[variable] ?? '';
        if (file === '')
            return;
        try {
            (0,external_node_fs_namespaceObject.appendFileSync)(file, text);
        }
        catch (error) {
            log(`The file that ${variable} names cannot be written (${(0,errors/* messageOf */.bD)(error)}).`);
        }
    };
    return {
        log,
        mask: (secret) => issueCommand('add-mask', {}, secret),
        annotate: (level, message) => issueCommand(level, {}, message),
        output: (name, value) => append('GITHUB_OUTPUT', prepareKeyValueMessage(name, value) + external_node_os_namespaceObject.EOL),
        saveState: (name, value) => append('GITHUB_STATE', prepareKeyValueMessage(name, value) + external_node_os_namespaceObject.EOL),
        summary: (markdown) => append('GITHUB_STEP_SUMMARY', markdown),
        debugging: env.RUNNER_DEBUG === '1',
    };
}

// EXTERNAL MODULE: ./src/core/cancellation.ts
var cancellation = __nccwpck_require__(3948);
;// CONCATENATED MODULE: ./src/runner/signals.ts


/** Cancels on the first SIGINT or SIGTERM; the second, which the runner sends 7.5 s later, finds all said. */
function cancellationOnSignals() {
    const canceller = (0,cancellation/* cancellation */.WN)((ms) => (0,promises_namespaceObject.setTimeout)(ms, undefined, { ref: false }));
    for (const signal of ['SIGINT', 'SIGTERM'])
        process.on(signal, () => canceller.cancel());
    return canceller;
}

;// CONCATENATED MODULE: ./src/wire.ts








/** Node's timers take no longer time than this, in ms. */
const LONGEST_SLEEP = 2 ** 31 - 1;
/**
 * Runs a step: hands it the world outside, and tells the runner whether it ended red. Whatever gets past the step is
 * one sentence (contract 6.3).
 * @param step resolves to whether it ends red
 */
async function enter(step) {
    const { env } = process;
    const runner = runnerOf(env);
    try {
        process.exitCode = (await step({ ...wire(env, runner), env })) ? 1 : 0;
    }
    catch (error) {
        runner.annotate('error', (0,errors/* unknownFault */.$s)(runner, error));
        process.exitCode = 1;
    }
}
function wire(env, runner) {
    let ready;
    const deps = {
        runner,
        log: runner.log,
        // Made at the first request, when all secrets are masked.
        fetch: async (input, init) => {
            ready ??= fetchFor(env);
            return await (await ready)(input, init);
        },
        cancellation: cancellationOnSignals(),
        now: () => Date.now(),
        sleep: (ms, signal) => (0,promises_namespaceObject.setTimeout)(Math.min(ms, LONGEST_SLEEP), undefined, signal === undefined ? {} : { signal }),
        random: () => (0,external_node_crypto_.randomBytes)(4).readUInt32BE() / 2 ** 32,
    };
    return { deps, raw: (0,read/* rawInputs */.me)(env), environment: environmentOf(env) };
}


/***/ }),

/***/ 4589:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:assert");

/***/ }),

/***/ 6698:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:async_hooks");

/***/ }),

/***/ 4573:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:buffer");

/***/ }),

/***/ 7598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 3053:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:diagnostics_channel");

/***/ }),

/***/ 8474:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:events");

/***/ }),

/***/ 7067:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http");

/***/ }),

/***/ 2467:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http2");

/***/ }),

/***/ 7030:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:net");

/***/ }),

/***/ 643:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:perf_hooks");

/***/ }),

/***/ 1792:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:querystring");

/***/ }),

/***/ 99:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:sqlite");

/***/ }),

/***/ 7075:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 7830:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream/web");

/***/ }),

/***/ 1692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:tls");

/***/ }),

/***/ 3136:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:url");

/***/ }),

/***/ 7975:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");

/***/ }),

/***/ 3429:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util/types");

/***/ }),

/***/ 5919:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");

/***/ }),

/***/ 8522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		id: moduleId,
/******/ 		loaded: false,
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Flag the module as loaded
/******/ 	module.loaded = true;
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/compat get default export */
/******/ (() => {
/******/ 	// getDefaultExport function for compatibility with non-harmony modules
/******/ 	__nccwpck_require__.n = (module) => {
/******/ 		var getter = module && module.__esModule ?
/******/ 			() => (module['default']) :
/******/ 			() => (module);
/******/ 		__nccwpck_require__.d(getter, { a: getter });
/******/ 		return getter;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return "" + chunkId + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/node module decorator */
/******/ (() => {
/******/ 	__nccwpck_require__.nmd = (module) => {
/******/ 		module.paths = [];
/******/ 		if (!module.children) module.children = [];
/******/ 		return module;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(9503);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
