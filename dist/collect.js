import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 174:
/***/ ((module, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(module, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _wire_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(767);
/* harmony import */ var _run_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(1368);


await (0,_wire_js__WEBPACK_IMPORTED_MODULE_0__/* .enter */ .V)(({ deps, raw, environment }) => (0,_run_js__WEBPACK_IMPORTED_MODULE_1__/* .collect */ .F)(deps, raw, environment));

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 1368:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  F: () => (/* binding */ run_collect)
});

// EXTERNAL MODULE: ./src/core/errors.ts
var errors = __nccwpck_require__(4296);
// EXTERNAL MODULE: ./src/core/text.ts
var core_text = __nccwpck_require__(2020);
;// CONCATENATED MODULE: ./src/core/version.ts
/** Written here, so that no file is read at start; a test holds it and package.json together. */
const VERSION = '1.0.0';

;// CONCATENATED MODULE: ./src/core/json.ts
/** Guards for JSON from outside: everything is `unknown` until one of these has looked at it. */
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** The object, or an empty one in its place. */
const object = (value) => (isObject(value) ? value : {});
const list = (value) => (Array.isArray(value) ? value : []);
/** The text, or '' in its place. Half a surrogate pair becomes U+FFFD. */
const json_text = (value) => (typeof value === 'string' ? value.toWellFormed() : '');
/** A positive whole number such as an id, or undefined. */
function id(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
/** The value of a JSON text, or undefined when it is none. */
function parse(json) {
    try {
        return JSON.parse(json);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./src/github/explain.ts



/** The HTTP status of what octokit threw; 0 when GitHub was not reached. */
function statusOf(error) {
    const status = isObject(error) ? error.status : undefined;
    // octokit gives a request that never got an answer the status 500 and no response.
    return typeof status === 'number' && isObject(object(error).response) ? status : 0;
}
/**
 * One sentence on what GitHub refused, with the line to add where a permission is missing.
 * @param doing completes "Could not …"
 * @param permission the workflow permission that it takes, such as `issues: write`
 */
function explainGitHub(error, doing, permission) {
    const status = statusOf(error);
    const said = (0,core_text/* oneLine */.TN)(json_text(object(object(object(error).response).data).message) || (0,errors/* messageOf */.bD)(error), 150);
    const remedy = REMEDIES.find((rule) => rule.status.includes(status) && rule.said.test(said))?.remedy ?? '';
    return `Could not ${doing} (${status === 0 ? 'GitHub did not answer' : `HTTP ${status}`}: ${said}). ${remedy.replaceAll('{permission}', permission)}`.trim();
}
const ADD = 'Add `{permission}` under `permissions:` of the job, and pass a `github-token` that has it.';
/** The first that applies counts. */
const REMEDIES = [
    { status: [401], said: /./, remedy: 'Pass a valid `github-token`.' },
    { status: [403, 410], said: /lock/i, remedy: 'Unlock the thread to see comments there.' },
    { status: [403, 429], said: /rate limit|abuse/i, remedy: 'The rate limit is used up.' },
    { status: [403], said: /./, remedy: ADD },
    { status: [404], said: /./, remedy: `Check that it is there (\`issue-number\`, if that names it). ${ADD}` },
];

;// CONCATENATED MODULE: ./node_modules/universal-user-agent/index.js
function getUserAgent() {
  if (typeof navigator === "object" && "userAgent" in navigator) {
    return navigator.userAgent;
  }

  if (typeof process === "object" && process.version !== undefined) {
    return `Node.js/${process.version.substr(1)} (${process.platform}; ${
      process.arch
    })`;
  }

  return "<environment undetectable>";
}

;// CONCATENATED MODULE: ./node_modules/before-after-hook/lib/register.js
// @ts-check

function register(state, name, method, options) {
  if (typeof method !== "function") {
    throw new Error("method for before hook must be a function");
  }

  if (!options) {
    options = {};
  }

  if (Array.isArray(name)) {
    return name.reverse().reduce((callback, name) => {
      return register.bind(null, state, name, callback, options);
    }, method)();
  }

  return Promise.resolve().then(() => {
    if (!state.registry[name]) {
      return method(options);
    }

    return state.registry[name].reduce((method, registered) => {
      return registered.hook.bind(null, method, options);
    }, method)();
  });
}

;// CONCATENATED MODULE: ./node_modules/before-after-hook/lib/add.js
// @ts-check

function addHook(state, kind, name, hook) {
  const orig = hook;
  if (!state.registry[name]) {
    state.registry[name] = [];
  }

  if (kind === "before") {
    hook = (method, options) => {
      return Promise.resolve()
        .then(orig.bind(null, options))
        .then(method.bind(null, options));
    };
  }

  if (kind === "after") {
    hook = (method, options) => {
      let result;
      return Promise.resolve()
        .then(method.bind(null, options))
        .then((result_) => {
          result = result_;
          return orig(result, options);
        })
        .then(() => {
          return result;
        });
    };
  }

  if (kind === "error") {
    hook = (method, options) => {
      return Promise.resolve()
        .then(method.bind(null, options))
        .catch((error) => {
          return orig(error, options);
        });
    };
  }

  state.registry[name].push({
    hook: hook,
    orig: orig,
  });
}

;// CONCATENATED MODULE: ./node_modules/before-after-hook/lib/remove.js
// @ts-check

function removeHook(state, name, method) {
  if (!state.registry[name]) {
    return;
  }

  const index = state.registry[name]
    .map((registered) => {
      return registered.orig;
    })
    .indexOf(method);

  if (index === -1) {
    return;
  }

  state.registry[name].splice(index, 1);
}

;// CONCATENATED MODULE: ./node_modules/before-after-hook/index.js
// @ts-check





// bind with array of arguments: https://stackoverflow.com/a/21792913
const bind = Function.bind;
const bindable = bind.bind(bind);

function bindApi(hook, state, name) {
  const removeHookRef = bindable(removeHook, null).apply(
    null,
    name ? [state, name] : [state]
  );
  hook.api = { remove: removeHookRef };
  hook.remove = removeHookRef;
  ["before", "error", "after", "wrap"].forEach((kind) => {
    const args = name ? [state, kind, name] : [state, kind];
    hook[kind] = hook.api[kind] = bindable(addHook, null).apply(null, args);
  });
}

function Singular() {
  const singularHookName = Symbol("Singular");
  const singularHookState = {
    registry: {},
  };
  const singularHook = register.bind(null, singularHookState, singularHookName);
  bindApi(singularHook, singularHookState, singularHookName);
  return singularHook;
}

function Collection() {
  const state = {
    registry: {},
  };

  const hook = register.bind(null, state);
  bindApi(hook, state);

  return hook;
}

/* harmony default export */ const before_after_hook = ({ Singular, Collection });

;// CONCATENATED MODULE: ./node_modules/@octokit/endpoint/dist-bundle/index.js
// pkg/dist-src/defaults.js


// pkg/dist-src/version.js
var dist_bundle_VERSION = "0.0.0-development";

// pkg/dist-src/defaults.js
var userAgent = `octokit-endpoint.js/${dist_bundle_VERSION} ${getUserAgent()}`;
var DEFAULTS = {
  method: "GET",
  baseUrl: "https://api.github.com",
  headers: {
    accept: "application/vnd.github.v3+json",
    "user-agent": userAgent
  },
  mediaType: {
    format: ""
  }
};

// pkg/dist-src/util/lowercase-keys.js
function lowercaseKeys(object) {
  if (!object) {
    return {};
  }
  return Object.keys(object).reduce((newObj, key) => {
    newObj[key.toLowerCase()] = object[key];
    return newObj;
  }, {});
}

// pkg/dist-src/util/is-plain-object.js
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const proto = Object.getPrototypeOf(value);
  if (proto === null) return true;
  const Ctor = Object.prototype.hasOwnProperty.call(proto, "constructor") && proto.constructor;
  return typeof Ctor === "function" && Ctor instanceof Ctor && Function.prototype.call(Ctor) === Function.prototype.call(value);
}

// pkg/dist-src/util/merge-deep.js
function mergeDeep(defaults, options) {
  const result = Object.assign({}, defaults);
  Object.keys(options).forEach((key) => {
    if (isPlainObject(options[key])) {
      if (!(key in defaults)) Object.assign(result, { [key]: options[key] });
      else result[key] = mergeDeep(defaults[key], options[key]);
    } else {
      Object.assign(result, { [key]: options[key] });
    }
  });
  return result;
}

// pkg/dist-src/util/remove-undefined-properties.js
function removeUndefinedProperties(obj) {
  for (const key in obj) {
    if (obj[key] === void 0) {
      delete obj[key];
    }
  }
  return obj;
}

// pkg/dist-src/merge.js
function merge(defaults, route, options) {
  if (typeof route === "string") {
    let [method, url] = route.split(" ");
    options = Object.assign(url ? { method, url } : { url: method }, options);
  } else {
    options = Object.assign({}, route);
  }
  options.headers = lowercaseKeys(options.headers);
  removeUndefinedProperties(options);
  removeUndefinedProperties(options.headers);
  const mergedOptions = mergeDeep(defaults || {}, options);
  if (options.url === "/graphql") {
    if (defaults && defaults.mediaType.previews?.length) {
      mergedOptions.mediaType.previews = defaults.mediaType.previews.filter(
        (preview) => !mergedOptions.mediaType.previews.includes(preview)
      ).concat(mergedOptions.mediaType.previews);
    }
    mergedOptions.mediaType.previews = (mergedOptions.mediaType.previews || []).map((preview) => preview.replace(/-preview/, ""));
  }
  return mergedOptions;
}

// pkg/dist-src/util/add-query-parameters.js
function addQueryParameters(url, parameters) {
  const separator = /\?/.test(url) ? "&" : "?";
  const names = Object.keys(parameters);
  if (names.length === 0) {
    return url;
  }
  return url + separator + names.map((name) => {
    if (name === "q") {
      return "q=" + parameters.q.split("+").map(encodeURIComponent).join("+");
    }
    return `${name}=${encodeURIComponent(parameters[name])}`;
  }).join("&");
}

// pkg/dist-src/util/extract-url-variable-names.js
var urlVariableRegex = /\{[^{}}]+\}/g;
function removeNonChars(variableName) {
  return variableName.replace(/(?:^\W+)|(?:(?<!\W)\W+$)/g, "").split(/,/);
}
function extractUrlVariableNames(url) {
  const matches = url.match(urlVariableRegex);
  if (!matches) {
    return [];
  }
  return matches.map(removeNonChars).reduce((a, b) => a.concat(b), []);
}

// pkg/dist-src/util/omit.js
function omit(object, keysToOmit) {
  const result = { __proto__: null };
  for (const key of Object.keys(object)) {
    if (keysToOmit.indexOf(key) === -1) {
      result[key] = object[key];
    }
  }
  return result;
}

// pkg/dist-src/util/url-template.js
function encodeReserved(str) {
  return str.split(/(%[0-9A-Fa-f]{2})/g).map(function(part) {
    if (!/%[0-9A-Fa-f]/.test(part)) {
      part = encodeURI(part).replace(/%5B/g, "[").replace(/%5D/g, "]");
    }
    return part;
  }).join("");
}
function encodeUnreserved(str) {
  return encodeURIComponent(str).replace(/[!'()*]/g, function(c) {
    return "%" + c.charCodeAt(0).toString(16).toUpperCase();
  });
}
function encodeValue(operator, value, key) {
  value = operator === "+" || operator === "#" ? encodeReserved(value) : encodeUnreserved(value);
  if (key) {
    return encodeUnreserved(key) + "=" + value;
  } else {
    return value;
  }
}
function isDefined(value) {
  return value !== void 0 && value !== null;
}
function isKeyOperator(operator) {
  return operator === ";" || operator === "&" || operator === "?";
}
function getValues(context, operator, key, modifier) {
  var value = context[key], result = [];
  if (isDefined(value) && value !== "") {
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
      value = value.toString();
      if (modifier && modifier !== "*") {
        value = value.substring(0, parseInt(modifier, 10));
      }
      result.push(
        encodeValue(operator, value, isKeyOperator(operator) ? key : "")
      );
    } else {
      if (modifier === "*") {
        if (Array.isArray(value)) {
          value.filter(isDefined).forEach(function(value2) {
            result.push(
              encodeValue(operator, value2, isKeyOperator(operator) ? key : "")
            );
          });
        } else {
          Object.keys(value).forEach(function(k) {
            if (isDefined(value[k])) {
              result.push(encodeValue(operator, value[k], k));
            }
          });
        }
      } else {
        const tmp = [];
        if (Array.isArray(value)) {
          value.filter(isDefined).forEach(function(value2) {
            tmp.push(encodeValue(operator, value2));
          });
        } else {
          Object.keys(value).forEach(function(k) {
            if (isDefined(value[k])) {
              tmp.push(encodeUnreserved(k));
              tmp.push(encodeValue(operator, value[k].toString()));
            }
          });
        }
        if (isKeyOperator(operator)) {
          result.push(encodeUnreserved(key) + "=" + tmp.join(","));
        } else if (tmp.length !== 0) {
          result.push(tmp.join(","));
        }
      }
    }
  } else {
    if (operator === ";") {
      if (isDefined(value)) {
        result.push(encodeUnreserved(key));
      }
    } else if (value === "" && (operator === "&" || operator === "?")) {
      result.push(encodeUnreserved(key) + "=");
    } else if (value === "") {
      result.push("");
    }
  }
  return result;
}
function parseUrl(template) {
  return {
    expand: expand.bind(null, template)
  };
}
function expand(template, context) {
  var operators = ["+", "#", ".", "/", ";", "?", "&"];
  template = template.replace(
    /\{([^\{\}]+)\}|([^\{\}]+)/g,
    function(_, expression, literal) {
      if (expression) {
        let operator = "";
        const values = [];
        if (operators.indexOf(expression.charAt(0)) !== -1) {
          operator = expression.charAt(0);
          expression = expression.substr(1);
        }
        expression.split(/,/g).forEach(function(variable) {
          var tmp = /([^:\*]*)(?::(\d+)|(\*))?/.exec(variable);
          values.push(getValues(context, operator, tmp[1], tmp[2] || tmp[3]));
        });
        if (operator && operator !== "+") {
          var separator = ",";
          if (operator === "?") {
            separator = "&";
          } else if (operator !== "#") {
            separator = operator;
          }
          return (values.length !== 0 ? operator : "") + values.join(separator);
        } else {
          return values.join(",");
        }
      } else {
        return encodeReserved(literal);
      }
    }
  );
  if (template === "/") {
    return template;
  } else {
    return template.replace(/\/$/, "");
  }
}

// pkg/dist-src/parse.js
function dist_bundle_parse(options) {
  let method = options.method.toUpperCase();
  let url = (options.url || "/").replace(/:([a-z]\w+)/g, "{$1}");
  let headers = Object.assign({}, options.headers);
  let body;
  let parameters = omit(options, [
    "method",
    "baseUrl",
    "url",
    "headers",
    "request",
    "mediaType"
  ]);
  const urlVariableNames = extractUrlVariableNames(url);
  url = parseUrl(url).expand(parameters);
  if (!/^http/.test(url)) {
    url = options.baseUrl + url;
  }
  const omittedParameters = Object.keys(options).filter((option) => urlVariableNames.includes(option)).concat("baseUrl");
  const remainingParameters = omit(parameters, omittedParameters);
  const isBinaryRequest = /application\/octet-stream/i.test(headers.accept);
  if (!isBinaryRequest) {
    if (options.mediaType.format) {
      headers.accept = headers.accept.split(/,/).map(
        (format) => format.replace(
          /application\/vnd(\.\w+)(\.v3)?(\.\w+)?(\+json)?$/,
          `application/vnd$1$2.${options.mediaType.format}`
        )
      ).join(",");
    }
    if (url.endsWith("/graphql")) {
      if (options.mediaType.previews?.length) {
        const previewsFromAcceptHeader = headers.accept.match(/(?<![\w-])[\w-]+(?=-preview)/g) || [];
        headers.accept = previewsFromAcceptHeader.concat(options.mediaType.previews).map((preview) => {
          const format = options.mediaType.format ? `.${options.mediaType.format}` : "+json";
          return `application/vnd.github.${preview}-preview${format}`;
        }).join(",");
      }
    }
  }
  if (["GET", "HEAD"].includes(method)) {
    url = addQueryParameters(url, remainingParameters);
  } else {
    if ("data" in remainingParameters) {
      body = remainingParameters.data;
    } else {
      if (Object.keys(remainingParameters).length) {
        body = remainingParameters;
      }
    }
  }
  if (!headers["content-type"] && typeof body !== "undefined") {
    headers["content-type"] = "application/json; charset=utf-8";
  }
  if (["PATCH", "PUT"].includes(method) && typeof body === "undefined") {
    body = "";
  }
  return Object.assign(
    { method, url, headers },
    typeof body !== "undefined" ? { body } : null,
    options.request ? { request: options.request } : null
  );
}

// pkg/dist-src/endpoint-with-defaults.js
function endpointWithDefaults(defaults, route, options) {
  return dist_bundle_parse(merge(defaults, route, options));
}

// pkg/dist-src/with-defaults.js
function withDefaults(oldDefaults, newDefaults) {
  const DEFAULTS2 = merge(oldDefaults, newDefaults);
  const endpoint2 = endpointWithDefaults.bind(null, DEFAULTS2);
  return Object.assign(endpoint2, {
    DEFAULTS: DEFAULTS2,
    defaults: withDefaults.bind(null, DEFAULTS2),
    merge: merge.bind(null, DEFAULTS2),
    parse: dist_bundle_parse
  });
}

// pkg/dist-src/index.js
var endpoint = withDefaults(null, DEFAULTS);


;// CONCATENATED MODULE: ./node_modules/content-type/dist/index.js
/*!
 * content-type
 * Copyright(c) 2015 Douglas Christopher Wilson
 * MIT Licensed
 */
const SP = 32; // " "
const HTAB = 9; // "\t"
const SEMI = 59; // ";"
const EQ = 61; // "="
const DQUOTE = 34; // '"'
const BSLASH = 92; // "\\"
const COMMA = 44; // ","
const LOWER_CASE = 1;
const OWS = 2;
const SEMI_FLAG = 4;
const COMMA_FLAG = 8;
const TOKEN_FLAG = 16;
const NON_ASCII = 0xff00;
const CASE_FLAGS = LOWER_CASE | NON_ASCII;
/**
 * Character flags used to normalize HTTP field values while scanning.
 * Out-of-range reads intentionally coerce to zero in bitwise expressions.
 */
const CHAR_MAP = new Uint8Array(0x100);
CHAR_MAP[HTAB] |= OWS;
CHAR_MAP[SP] |= OWS;
CHAR_MAP[SEMI] |= SEMI_FLAG;
CHAR_MAP[COMMA] |= COMMA_FLAG;
for (let code = 0x80 /* non-ASCII */; code <= 0xff; code++) {
    CHAR_MAP[code] |= LOWER_CASE;
}
for (const char of "!#$%&'*+-.^_`|~") {
    CHAR_MAP[char.charCodeAt(0)] |= TOKEN_FLAG;
}
for (let code = 0x30 /* 0 */; code <= 0x39 /* 9 */; code++) {
    CHAR_MAP[code] |= TOKEN_FLAG;
}
for (let code = 0x41 /* A */; code <= 0x5a /* Z */; code++) {
    CHAR_MAP[code] |= LOWER_CASE | TOKEN_FLAG;
}
for (let code = 0x61 /* a */; code <= 0x7a /* z */; code++) {
    CHAR_MAP[code] |= TOKEN_FLAG;
}
/**
 * Null object perf optimization. Faster than `Object.create(null)` and `{ __proto__: null }`.
 */
const NullObject = /* @__PURE__ */ (() => {
    const C = function () { };
    C.prototype = Object.create(null);
    return C;
})();
/**
 * Validate a type string against RFC 9110.
 */
function isTypeValid(type, start = 0, end = type.length) {
    let hasSlash = false;
    for (let index = start; index < end; index++) {
        const code = type.charCodeAt(index);
        if (code === 47 /* / */) {
            if (hasSlash || index === start || index >= end - 1)
                return false;
            hasSlash = true;
        }
        else if (!isTokenCode(code)) {
            return false;
        }
    }
    return hasSlash;
}
/**
 * Validate a token against RFC 9110.
 */
function isTokenValid(token, start = 0, end = token.length) {
    if (start >= end)
        return false;
    for (let index = start; index < end; index++) {
        if (!isTokenCode(token.charCodeAt(index)))
            return false;
    }
    return true;
}
/**
 * Check whether a character code belongs to the token production in RFC 9110.
 */
function isTokenCode(code) {
    return (CHAR_MAP[code] & TOKEN_FLAG) !== 0;
}
/**
 * Serialize a parameter value.
 */
function parameterValue(str) {
    const len = str.length;
    if (len === 0)
        return '""';
    let index = 0;
    while (index < len && isTokenCode(str.charCodeAt(index)))
        index++;
    if (index === len)
        return str;
    let result = '"';
    let start = 0;
    while (index < len) {
        const code = str.charCodeAt(index);
        if (code !== HTAB && (code < SP || code === 127 || code > 255)) {
            throw new TypeError(`Invalid parameter value: ${str}`);
        }
        if (code === 34 /* " */ || code === 92 /* \\ */) {
            result += `${str.slice(start, index)}\\`;
            start = index;
        }
        index++;
    }
    return `${result}${str.slice(start)}"`;
}
/**
 * Format an object into a `Content-Type` header.
 */
function format(obj) {
    const { type, parameters } = obj;
    if (!type || !isTypeValid(type)) {
        throw new TypeError(`Invalid type: ${type}`);
    }
    let result = type;
    if (parameters) {
        for (const param of Object.keys(parameters)) {
            if (!isTokenValid(param)) {
                throw new TypeError(`Invalid parameter name: ${param}`);
            }
            result += `; ${param}=${parameterValue(parameters[param])}`;
        }
    }
    return result;
}
/**
 * Parse a `Content-Type` header.
 */
function dist_parse(header, options) {
    const stopFlags = SEMI_FLAG | (options?.comma === true ? COMMA_FLAG : 0);
    const len = header.length;
    let valueStart = options?.start ?? 0;
    while ((CHAR_MAP[header.charCodeAt(valueStart)] & OWS) !== 0) {
        valueStart++;
    }
    let index = valueStart;
    let typeFlags = 0;
    let whitespace = -1;
    let stop = options?.parameters === false ? COMMA_FLAG : 0;
    while (index < len) {
        const code = header.charCodeAt(index);
        const flags = CHAR_MAP[code];
        if ((flags & stopFlags) !== 0) {
            stop |= flags & COMMA_FLAG;
            break;
        }
        if ((flags & OWS) !== 0) {
            if (whitespace === -1)
                whitespace = index;
        }
        else {
            whitespace = -1;
        }
        typeFlags |= (code & NON_ASCII) | flags;
        index++;
    }
    const valueEnd = whitespace === -1 ? index : whitespace;
    const value = header.slice(valueStart, valueEnd);
    const type = (typeFlags & CASE_FLAGS) === 0 ? value : value.toLowerCase();
    if (index === len || stop !== 0) {
        return { type, index, parameters: new NullObject() };
    }
    return parseParameters(header, type, index, len, stopFlags);
}
/**
 * Parses the parameters of a `Content-Type` header starting at the given index.
 */
function parseParameters(header, type, index, len, stopFlags) {
    const parameters = new NullObject();
    parameter: while (index < len) {
        index++; // Skip over ;
        while ((CHAR_MAP[header.charCodeAt(index)] & OWS) !== 0) {
            index++;
        }
        const keyStart = index;
        let keyFlags = 0;
        let keyWhitespace = -1;
        while (index < len) {
            const code = header.charCodeAt(index);
            const flags = CHAR_MAP[code];
            if ((flags & stopFlags) !== 0) {
                if ((flags & COMMA_FLAG) !== 0)
                    break parameter;
                continue parameter;
            }
            if (code === EQ) {
                const keyEnd = keyWhitespace === -1 ? index : keyWhitespace;
                const value = header.slice(keyStart, keyEnd);
                const key = (keyFlags & CASE_FLAGS) === 0 ? value : value.toLowerCase();
                index++;
                while ((CHAR_MAP[header.charCodeAt(index)] & OWS) !== 0) {
                    index++;
                }
                if (index < len && header.charCodeAt(index) === DQUOTE) {
                    const quotedStart = ++index;
                    let escaped = false;
                    while (index < len) {
                        const code = header.charCodeAt(index);
                        if (code === DQUOTE) {
                            if (parameters[key] === undefined) {
                                parameters[key] = escaped
                                    ? unescapeQuotedPairs(header, quotedStart, index)
                                    : header.slice(quotedStart, index);
                            }
                            index++;
                            let stop = 0;
                            // Discard characters between quote and delimiter.
                            while (index < len) {
                                const code = header.charCodeAt(index);
                                const flags = CHAR_MAP[code];
                                if ((flags & stopFlags) !== 0) {
                                    stop = flags & COMMA_FLAG;
                                    break;
                                }
                                index++;
                            }
                            if (stop !== 0)
                                break parameter;
                            continue parameter;
                        }
                        if (code === BSLASH && index + 1 < len) {
                            escaped = true;
                            index += 2;
                            continue;
                        }
                        index++;
                    }
                    continue parameter;
                }
                const valueStart = index;
                let stop = 0;
                let valueWhitespace = -1;
                while (index < len) {
                    const code = header.charCodeAt(index);
                    const flags = CHAR_MAP[code];
                    if ((flags & stopFlags) !== 0) {
                        stop = flags & COMMA_FLAG;
                        break;
                    }
                    if ((flags & OWS) !== 0) {
                        if (valueWhitespace === -1)
                            valueWhitespace = index;
                    }
                    else {
                        valueWhitespace = -1;
                    }
                    index++;
                }
                if (parameters[key] === undefined) {
                    const valueEnd = valueWhitespace === -1 ? index : valueWhitespace;
                    parameters[key] = header.slice(valueStart, valueEnd);
                }
                if (stop !== 0)
                    break parameter;
                continue parameter;
            }
            if ((flags & OWS) !== 0) {
                if (keyWhitespace === -1)
                    keyWhitespace = index;
            }
            else {
                keyWhitespace = -1;
            }
            keyFlags |= (code & NON_ASCII) | flags;
            index++;
        }
    }
    return { type, index, parameters };
}
/**
 * Remove backslashes from quoted pairs in a known-terminated quoted string body.
 */
function unescapeQuotedPairs(str, start, end) {
    let result = "";
    for (let index = start; index < end; index++) {
        if (str.charCodeAt(index) === BSLASH) {
            result += str.slice(start, index);
            start = ++index;
        }
    }
    return result + str.slice(start, end);
}
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/json-with-bigint/json-with-bigint.js
const intRegex = /^-?\d+$/;
const noiseValue = /^-?\d+n+$/; // Noise - strings that match the custom format before being converted to it
const originalStringify = JSON.stringify;
const originalParse = JSON.parse;
const customFormat = /^-?\d+n$/;

const bigIntsStringify = /([\[:])?"(-?\d+)n"($|\s*[,\}\]])/g;
const noiseStringify = /([\[:])?("-?\d+n+)n("$|"\s*[,\}\]])/g;

/**
 * @typedef {(this: any, key: string | number | undefined, value: any) => any} Replacer
 * @typedef {(key: string | number | undefined, value: any, context?: { source: string }) => any} Reviver
 */

/**
 * Checks if a value is unstringifiable according to native JSON.stringify rules.
 *
 * @param {any} val The value to check.
 * @returns {boolean} True if the value is undefined, a function, or a symbol.
 */
const isUnstringifiable = (val) =>
  val === undefined || typeof val === "function" || typeof val === "symbol";

/**
 * Checks if a value is a native JSON.rawJSON object (Node.js 22+).
 *
 * @param {any} val The value to check.
 * @returns {boolean} True if the value is a RawJSON instance.
 */
const isRawJSON = (val) =>
  val !== null &&
  typeof val === "object" &&
  val.constructor &&
  val.constructor.name === "RawJSON";

/**
 * Iteratively converts a JS value to a JSON string.
 * Used as a fallback when the native JSON.stringify hits the Maximum Call Stack size.
 * Fully compliant with JSON formatting (space), replacers, and toJSON behaviors.
 *
 * @param {any} rootValue The value to stringify.
 * @param {Replacer | Array<string | number> | null} [replacer] User's custom replacer function.
 * @param {string | number} [spaceParam] Indentation for pretty-printing.
 * @returns {string | undefined} The generated JSON string.
 */
const stringifyIteratively = (rootValue, replacer, spaceParam) => {
  let space = "";

  if (typeof spaceParam === "number") {
    space = " ".repeat(Math.min(10, Math.max(0, Math.floor(spaceParam))));
  } else if (typeof spaceParam === "string") {
    space = spaceParam.slice(0, 10);
  }

  const isFunctionReplacer = typeof replacer === "function";
  const propertyList = Array.isArray(replacer)
    ? new Set(replacer.map(String))
    : null;

  /**
   * Prepares a value for stringification by resolving toJSON, handling BigInts,
   * applying custom replacers, and unwrapping primitive objects.
   *
   * @param {object|Array} parent The parent object or array holding the value.
   * @param {string} key The key associated with the value.
   * @param {any} val The raw value to process.
   * @returns {any} The processed value ready for stringification.
   */
  const prepareVal = (parent, key, val) => {
    const isObject = val !== null && typeof val === "object";
    const hasToJSON = isObject && typeof val.toJSON === "function";

    if (hasToJSON) {
      val = val.toJSON(key);
    }

    const isNoise = typeof val === "string" && noiseValue.test(val);

    if (isNoise) return val + "n";

    const isBigInt = typeof val === "bigint";

    if (isBigInt) {
      const supportsRawJSON = "rawJSON" in JSON;

      if (supportsRawJSON) return JSON.rawJSON(val.toString());

      return val.toString() + "n";
    }

    if (isFunctionReplacer) {
      val = replacer.call(parent, key, val);
    }

    const isPostReplacerObject = val !== null && typeof val === "object";

    if (isPostReplacerObject) {
      const isPrimitiveWrapper =
        val instanceof Number ||
        val instanceof String ||
        val instanceof Boolean;

      if (isPrimitiveWrapper) {
        val = val.valueOf();
      }
    }

    return val;
  };

  const rootProcessed = prepareVal({ "": rootValue }, "", rootValue);

  if (isUnstringifiable(rootProcessed)) {
    return undefined;
  }

  const isRootPrimitive =
    rootProcessed === null || typeof rootProcessed !== "object";
  const isRootNativeRawJSON = isRawJSON(rootProcessed);

  if (isRootPrimitive || isRootNativeRawJSON) {
    return originalStringify(rootProcessed);
  }

  const chunks = [];
  let level = 0;

  const stack = [
    {
      parent: { "": rootProcessed },
      key: "",
      val: rootProcessed,
      isArray: Array.isArray(rootProcessed),
      keys: Array.isArray(rootProcessed) ? null : Object.keys(rootProcessed),
      index: 0,
      first: true,
    },
  ];

  const visited = new WeakSet([rootProcessed]);

  while (stack.length > 0) {
    const node = stack[stack.length - 1];

    if (node.index === 0) {
      chunks.push(node.isArray ? "[" : "{");
      level++;
    }

    let isDone = false;

    if (node.isArray) {
      if (node.index < node.val.length) {
        if (!node.first) chunks.push(",");

        if (space) chunks.push("\n" + space.repeat(level));

        const childRaw = node.val[node.index];
        const childVal = prepareVal(node.val, String(node.index), childRaw);

        if (isUnstringifiable(childVal)) {
          chunks.push("null");
          node.first = false;
          node.index++;
        } else {
          const isComplexObject =
            childVal !== null && typeof childVal === "object";
          const isNativeRaw = isRawJSON(childVal);

          if (isComplexObject && !isNativeRaw) {
            if (visited.has(childVal)) {
              throw new TypeError("Converting circular structure to JSON");
            }

            visited.add(childVal);

            stack.push({
              parent: node.val,
              key: String(node.index),
              val: childVal,
              isArray: Array.isArray(childVal),
              keys: Array.isArray(childVal) ? null : Object.keys(childVal),
              index: 0,
              first: true,
            });

            node.first = false;
            node.index++;
          } else {
            chunks.push(originalStringify(childVal));
            node.first = false;
            node.index++;
          }
        }
      } else {
        isDone = true;
      }
    } else {
      while (node.index < node.keys.length) {
        const k = node.keys[node.index++];

        const isFilteredOutByArray = propertyList && !propertyList.has(k);

        if (isFilteredOutByArray) continue;

        const childRaw = node.val[k];
        const childVal = prepareVal(node.val, k, childRaw);

        if (isUnstringifiable(childVal)) continue;

        if (!node.first) chunks.push(",");

        if (space) {
          chunks.push("\n" + space.repeat(level) + originalStringify(k) + ": ");
        } else {
          chunks.push(originalStringify(k) + ":");
        }

        const isComplexObject =
          childVal !== null && typeof childVal === "object";
        const isNativeRaw = isRawJSON(childVal);

        if (isComplexObject && !isNativeRaw) {
          if (visited.has(childVal)) {
            throw new TypeError("Converting circular structure to JSON");
          }

          visited.add(childVal);

          stack.push({
            parent: node.val,
            key: k,
            val: childVal,
            isArray: Array.isArray(childVal),
            keys: Array.isArray(childVal) ? null : Object.keys(childVal),
            index: 0,
            first: true,
          });

          node.first = false;

          break; // Stop current loop level to process the newly pushed stack node
        } else {
          chunks.push(originalStringify(childVal));
          node.first = false;
        }
      }

      const isNodeFullyProcessed =
        node.index >= node.keys.length && stack[stack.length - 1] === node;

      if (isNodeFullyProcessed) {
        isDone = true;
      }
    }

    if (isDone) {
      level--;

      if (!node.first && space) chunks.push("\n" + space.repeat(level));

      chunks.push(node.isArray ? "]" : "}");
      visited.delete(node.val);
      stack.pop();
    }
  }

  return chunks.join("");
};

/**
 * Converts a JavaScript value to a JSON string.
 *
 * Supports serialization of BigInt values using two strategies:
 * 1. Custom format "123n" → "123" (universal fallback)
 * 2. Native JSON.rawJSON() (Node.js 22+, fastest) when available
 *
 * All other values are serialized exactly like native JSON.stringify().
 *
 * @param {*} value The value to convert to a JSON string.
 * @param {Replacer | Array<string | number> | null} [replacer]
 * A function that alters the behavior of the stringification process,
 * or an array of strings/numbers to indicate properties to exclude.
 * @param {string | number} [space]
 * A string or number to specify indentation or pretty-printing.
 * @returns {string} The JSON string representation.
 */
const JSONStringify = (value, replacer, space) => {
  try {
    const supportsRawJSON = "rawJSON" in JSON;

    if (supportsRawJSON) {
      return originalStringify(
        value,
        (key, val) => {
          if (typeof val === "bigint") return JSON.rawJSON(val.toString());

          const hasFunctionReplacer = typeof replacer === "function";

          if (hasFunctionReplacer) return replacer(key, val);

          const isKeyInArrayReplacer =
            Array.isArray(replacer) && replacer.includes(key);

          if (isKeyInArrayReplacer) return val;

          return val;
        },
        space,
      );
    }

    if (!value) return originalStringify(value, replacer, space);

    const convertedToCustomJSON = originalStringify(
      value,
      (key, val) => {
        const isNoise = typeof val === "string" && noiseValue.test(val);

        if (isNoise) return val.toString() + "n"; // Mark noise values with additional "n" to offset the deletion of one "n" during the processing

        if (typeof val === "bigint") return val.toString() + "n";

        const hasFunctionReplacer = typeof replacer === "function";

        if (hasFunctionReplacer) return replacer(key, val);

        const isKeyInArrayReplacer =
          Array.isArray(replacer) && replacer.includes(key);

        if (isKeyInArrayReplacer) return val;

        return val;
      },
      space,
    );

    const processedJSON = convertedToCustomJSON.replace(
      bigIntsStringify,
      "$1$2$3",
    ); // Delete one "n" off the end of every BigInt value

    const denoisedJSON = processedJSON.replace(noiseStringify, "$1$2$3"); // Remove one "n" off the end of every noisy string

    return denoisedJSON;
  } catch (error) {
    if (error instanceof RangeError) {
      const convertedJSON = stringifyIteratively(value, replacer, space);

      if (convertedJSON === undefined) return undefined;

      const supportsRawJSON = "rawJSON" in JSON;

      if (supportsRawJSON) return convertedJSON;

      const processedJSON = convertedJSON.replace(bigIntsStringify, "$1$2$3");

      return processedJSON.replace(noiseStringify, "$1$2$3");
    }

    throw error;
  }
};

const featureCache = new Map();

/**
 * Detects if the current JSON.parse implementation supports the context.source feature.
 *
 * Uses toString() fingerprinting to cache results and automatically detect runtime
 * replacements of JSON.parse (polyfills, mocks, etc.).
 *
 * @returns {boolean} true if context.source is supported, false otherwise.
 */
const isContextSourceSupported = () => {
  const parseFingerprint = JSON.parse.toString();

  if (featureCache.has(parseFingerprint)) {
    return featureCache.get(parseFingerprint);
  }

  try {
    const result = JSON.parse(
      "1",
      (_, __, context) => !!context?.source && context.source === "1",
    );
    featureCache.set(parseFingerprint, result);

    return result;
  } catch {
    featureCache.set(parseFingerprint, false);

    return false;
  }
};

/**
 * Reviver function that converts custom-format BigInt strings back to BigInt values.
 * Also handles "noise" strings that accidentally match the BigInt format.
 *
 * @param {string | number | undefined} key The object key.
 * @param {*} value The value being parsed.
 * @param {object} [context] Parse context (if supported by JSON.parse).
 * @param {Reviver} [userReviver] User's custom reviver function.
 * @returns {any} The transformed value.
 */
const convertMarkedBigIntsReviver = (key, value, context, userReviver) => {
  const isCustomFormatBigInt =
    typeof value === "string" && customFormat.test(value);

  if (isCustomFormatBigInt) return BigInt(value.slice(0, -1));

  const isNoiseValue = typeof value === "string" && noiseValue.test(value);
  if (isNoiseValue) return value.slice(0, -1);

  const hasUserReviver = typeof userReviver === "function";

  if (!hasUserReviver) return value;

  return userReviver(key, value, context);
};

/**
 * Fast JSON.parse implementation (~2x faster than classic fallback).
 * Uses JSON.parse's context.source feature to detect integers and convert
 * large numbers directly to BigInt without string manipulation.
 *
 * Does not support legacy custom format from v1 of this library.
 *
 * @param {string} text JSON string to parse.
 * @param {Reviver} [reviver] Transform function to apply to each value.
 * @returns {any} Parsed JavaScript value.
 */
const JSONParseV2 = (text, reviver) => {
  return JSON.parse(text, (key, value, context) => {
    const isNumber = typeof value === "number";
    const isOutOfBounds =
      value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
    const isBigNumber = isNumber && isOutOfBounds;
    const isInt = context && intRegex.test(context.source);
    const isBigInt = isBigNumber && isInt;

    if (isBigInt) return BigInt(context.source);

    const hasCustomReviver = typeof reviver === "function";

    if (!hasCustomReviver) return value;

    return reviver(key, value, context);
  });
};

const MAX_INT = Number.MAX_SAFE_INTEGER.toString();
const MAX_DIGITS = MAX_INT.length;
const stringsOrLargeNumbers =
  /"(?:[^"\\]|\\.)*"|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/g;
const noiseValueWithQuotes = /^"-?\d+n+"$/; // Noise - strings that match the custom format before being converted to it

/**
 * Iteratively traverses the parsed object bottom-up (post-order),
 * emulating the native JSON.parse reviver behavior.
 * This avoids Call Stack overflows (RangeError) on deeply nested structures.
 *
 * @param {any} parsed The natively parsed JSON object.
 * @param {Reviver} [userReviver] User's custom reviver function.
 * @returns {any} The fully processed object.
 */
const applyReviverIteratively = (parsed, userReviver) => {
  const rootHolder = { "": parsed };
  const stack = [{ parent: rootHolder, key: "", visited: false }];

  while (stack.length > 0) {
    const node = stack[stack.length - 1];

    if (!node.visited) {
      node.visited = true;

      const value = node.parent[node.key];
      const isComplexObject = value !== null && typeof value === "object";

      if (isComplexObject) {
        const keys = Object.keys(value);

        for (let i = keys.length - 1; i >= 0; i--) {
          stack.push({ parent: value, key: keys[i], visited: false });
        }
      }
    } else {
      const { parent, key } = node;
      let value = parent[key];

      if (typeof value === "string") {
        const isCustomFormatBigInt = customFormat.test(value);

        if (isCustomFormatBigInt) {
          value = BigInt(value.slice(0, -1));
        } else {
          const isNoise = noiseValue.test(value);

          if (isNoise) value = value.slice(0, -1);
        }
      }

      const hasUserReviver = typeof userReviver === "function";

      if (hasUserReviver) {
        value = userReviver.call(parent, key, value);
      }

      const isDeleted = value === undefined;

      if (isDeleted) {
        delete parent[key];
      } else {
        parent[key] = value;
      }

      stack.pop();
    }
  }

  return rootHolder[""];
};

/**
 * Pre-processes the JSON string to mark large numbers with an 'n' suffix.
 *
 * @param {string} text The raw JSON string.
 * @returns {string} The serialized string with marked BigInts.
 */
const serializeBigInts = (text) => {
  return text.replace(
    stringsOrLargeNumbers,
    (match, digits, fractional, exponential) => {
      const isString = match[0] === '"';
      const isNoise = isString && noiseValueWithQuotes.test(match);

      if (isNoise) return match.substring(0, match.length - 1) + 'n"'; // Mark noise values with additional "n" to offset the deletion of one "n" during the processing

      const hasFractionalOrExponential = fractional || exponential;

      // With a fixed number of digits, we can correctly use lexicographical comparison to do a numeric comparison
      const isLessThanMaxSafeInt =
        digits &&
        (digits.length < MAX_DIGITS ||
          (digits.length === MAX_DIGITS && digits <= MAX_INT));

      const isStandardValue =
        isString || hasFractionalOrExponential || isLessThanMaxSafeInt;

      if (isStandardValue) return match;

      return '"' + match + 'n"';
    },
  );
};

/**
 * Converts a JSON string into a JavaScript value.
 *
 * Supports parsing of large integers using two strategies:
 * 1. Classic fallback: Marks large numbers with "123n" format, then converts to BigInt
 * 2. Fast path (JSONParseV2): Uses context.source feature (~2x faster) when available
 *
 * All other JSON values are parsed exactly like native JSON.parse().
 *
 * @param {string} text A valid JSON string.
 * @param {Reviver} [reviver]
 * A function that transforms the results. This function is called for each member
 * of the object. If a member contains nested objects, the nested objects are
 * transformed before the parent object is.
 * @returns {any} The parsed JavaScript value.
 * @throws {SyntaxError} If text is not valid JSON.
 */
const JSONParse = (text, reviver) => {
  if (!text) return originalParse(text, reviver);

  try {
    if (isContextSourceSupported()) return JSONParseV2(text, reviver); // Shortcut to a faster (2x) and simpler version

    // Find and mark big numbers with "n"
    const serializedData = serializeBigInts(text);

    return originalParse(serializedData, (key, value, context) =>
      convertMarkedBigIntsReviver(key, value, context, reviver),
    );
  } catch (error) {
    if (error instanceof RangeError) {
      const serializedData = serializeBigInts(text);
      const parsed = originalParse(serializedData);

      return applyReviverIteratively(parsed, reviver);
    }

    throw error;
  }
};



;// CONCATENATED MODULE: ./node_modules/@octokit/request-error/dist-src/index.js
class RequestError extends Error {
  name;
  /**
   * http status code
   */
  status;
  /**
   * Request options that lead to the error.
   */
  request;
  /**
   * Response object if a response was received
   */
  response;
  constructor(message, statusCode, options) {
    super(message, { cause: options.cause });
    this.name = "HttpError";
    this.status = Number.parseInt(statusCode);
    if (Number.isNaN(this.status)) {
      this.status = 0;
    }
    /* v8 ignore else -- @preserve -- Bug with vitest coverage where it sees an else branch that doesn't exist */
    if ("response" in options) {
      this.response = options.response;
    }
    const requestCopy = Object.assign({}, options.request);
    if (options.request.headers.authorization) {
      requestCopy.headers = Object.assign({}, options.request.headers, {
        authorization: options.request.headers.authorization.replace(
          /(?<! ) .*$/,
          " [REDACTED]"
        )
      });
    }
    requestCopy.url = requestCopy.url.replace(/\bclient_secret=\w+/g, "client_secret=[REDACTED]").replace(/\baccess_token=\w+/g, "access_token=[REDACTED]");
    this.request = requestCopy;
  }
}


;// CONCATENATED MODULE: ./node_modules/@octokit/request/dist-bundle/index.js
// pkg/dist-src/index.js


// pkg/dist-src/defaults.js


// pkg/dist-src/version.js
var request_dist_bundle_VERSION = "10.0.16";

// pkg/dist-src/defaults.js
var defaults_default = {
  headers: {
    "user-agent": `octokit-request.js/${request_dist_bundle_VERSION} ${getUserAgent()}`
  }
};

// pkg/dist-src/fetch-wrapper.js



// pkg/dist-src/is-plain-object.js
function dist_bundle_isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  if (Object.prototype.toString.call(value) !== "[object Object]") return false;
  const proto = Object.getPrototypeOf(value);
  if (proto === null) return true;
  const Ctor = Object.prototype.hasOwnProperty.call(proto, "constructor") && proto.constructor;
  return typeof Ctor === "function" && Ctor instanceof Ctor && Function.prototype.call(Ctor) === Function.prototype.call(value);
}

// pkg/dist-src/fetch-wrapper.js

var noop = () => "";
async function fetchWrapper(requestOptions) {
  const fetch = requestOptions.request?.fetch || globalThis.fetch;
  if (!fetch) {
    throw new Error(
      "fetch is not set. Please pass a fetch implementation as new Octokit({ request: { fetch }}). Learn more at https://github.com/octokit/octokit.js/#fetch-missing"
    );
  }
  const log = requestOptions.request?.log || console;
  const parseSuccessResponseBody = requestOptions.request?.parseSuccessResponseBody !== false;
  const body = dist_bundle_isPlainObject(requestOptions.body) || Array.isArray(requestOptions.body) ? JSONStringify(requestOptions.body) : requestOptions.body;
  const requestHeaders = Object.fromEntries(
    Object.entries(requestOptions.headers).map(([name, value]) => [
      name,
      String(value)
    ])
  );
  let fetchResponse;
  try {
    fetchResponse = await fetch(requestOptions.url, {
      method: requestOptions.method,
      body,
      redirect: requestOptions.request?.redirect,
      headers: requestHeaders,
      signal: requestOptions.request?.signal,
      // duplex must be set if request.body is ReadableStream or Async Iterables.
      // See https://fetch.spec.whatwg.org/#dom-requestinit-duplex.
      ...requestOptions.body && { duplex: "half" }
    });
  } catch (error) {
    let message = "Unknown Error";
    if (error instanceof Error) {
      if (error.name === "AbortError") {
        error.status = 500;
        throw error;
      }
      message = error.message;
      if (error.name === "TypeError" && "cause" in error) {
        if (error.cause instanceof Error) {
          message = error.cause.message;
        } else if (typeof error.cause === "string") {
          message = error.cause;
        }
      }
    }
    const requestError = new RequestError(message, 500, {
      request: requestOptions
    });
    requestError.cause = error;
    throw requestError;
  }
  const status = fetchResponse.status;
  const url = fetchResponse.url;
  const responseHeaders = {};
  for (const [key, value] of fetchResponse.headers) {
    responseHeaders[key] = value;
  }
  const octokitResponse = {
    url,
    status,
    headers: responseHeaders,
    data: ""
  };
  if ("deprecation" in responseHeaders) {
    const matches = responseHeaders.link && responseHeaders.link.match(/<([^<>]+)>; rel="deprecation"/);
    const deprecationLink = matches && matches.pop();
    log.warn(
      `[@octokit/request] "${requestOptions.method} ${requestOptions.url}" is deprecated. It is scheduled to be removed on ${responseHeaders.sunset}${deprecationLink ? `. See ${deprecationLink}` : ""}`
    );
  }
  if (status === 204 || status === 205) {
    return octokitResponse;
  }
  if (requestOptions.method === "HEAD") {
    if (status < 400) {
      return octokitResponse;
    }
    throw new RequestError(fetchResponse.statusText, status, {
      response: octokitResponse,
      request: requestOptions
    });
  }
  if (status === 304) {
    octokitResponse.data = await getResponseData(fetchResponse);
    throw new RequestError("Not modified", status, {
      response: octokitResponse,
      request: requestOptions
    });
  }
  if (status >= 400) {
    octokitResponse.data = await getResponseData(fetchResponse);
    throw new RequestError(toErrorMessage(octokitResponse.data), status, {
      response: octokitResponse,
      request: requestOptions
    });
  }
  octokitResponse.data = parseSuccessResponseBody ? await getResponseData(fetchResponse) : fetchResponse.body;
  return octokitResponse;
}
async function getResponseData(response) {
  const contentType = response.headers.get("content-type");
  if (!contentType) {
    return response.text().catch(noop);
  }
  const mimetype = dist_parse(contentType);
  if (isJSONResponse(mimetype)) {
    let text = "";
    try {
      text = await response.text();
      return JSONParse(text);
    } catch (err) {
      return text;
    }
  } else if (mimetype.type.startsWith("text/") || // `application/octet-stream` is the canonical "arbitrary binary" type
  // (RFC 2046) and must never be decoded as text, even when the response
  // carries a (misleading) `charset=utf-8` parameter — see #751.
  mimetype.parameters.charset?.toLowerCase() === "utf-8" && mimetype.type !== "application/octet-stream") {
    return response.text().catch(noop);
  } else {
    return response.arrayBuffer().catch(
      /* v8 ignore next -- @preserve */
      () => new ArrayBuffer(0)
    );
  }
}
function isJSONResponse(mimetype) {
  return mimetype.type === "application/json" || mimetype.type === "application/scim+json";
}
function toErrorMessage(data) {
  if (typeof data === "string") {
    return data;
  }
  if (data instanceof ArrayBuffer) {
    return "Unknown error";
  }
  if (typeof data === "object" && data !== null && "message" in data) {
    const objectData = data;
    const suffix = "documentation_url" in objectData ? ` - ${objectData.documentation_url}` : "";
    return Array.isArray(objectData.errors) ? `${objectData.message}: ${objectData.errors.map((v) => JSON.stringify(v)).join(", ")}${suffix}` : `${objectData.message}${suffix}`;
  }
  return `Unknown error: ${JSON.stringify(data)}`;
}

// pkg/dist-src/with-defaults.js
function dist_bundle_withDefaults(oldEndpoint, newDefaults) {
  const endpoint2 = oldEndpoint.defaults(newDefaults);
  const newApi = function(route, parameters) {
    const endpointOptions = endpoint2.merge(route, parameters);
    if (!endpointOptions.request || !endpointOptions.request.hook) {
      return fetchWrapper(endpoint2.parse(endpointOptions));
    }
    const request2 = (route2, parameters2) => {
      return fetchWrapper(
        endpoint2.parse(endpoint2.merge(route2, parameters2))
      );
    };
    Object.assign(request2, {
      endpoint: endpoint2,
      defaults: dist_bundle_withDefaults.bind(null, endpoint2)
    });
    return endpointOptions.request.hook(request2, endpointOptions);
  };
  return Object.assign(newApi, {
    endpoint: endpoint2,
    defaults: dist_bundle_withDefaults.bind(null, endpoint2)
  });
}

// pkg/dist-src/index.js
var request = dist_bundle_withDefaults(endpoint, defaults_default);

/* v8 ignore next -- @preserve */
/* v8 ignore else -- @preserve */

;// CONCATENATED MODULE: ./node_modules/@octokit/graphql/dist-bundle/index.js
// pkg/dist-src/index.js



// pkg/dist-src/version.js
var graphql_dist_bundle_VERSION = "0.0.0-development";

// pkg/dist-src/with-defaults.js


// pkg/dist-src/graphql.js


// pkg/dist-src/error.js
function _buildMessageForResponseErrors(data) {
  return `Request failed due to following response errors:
` + data.errors.map((e) => ` - ${e.message}`).join("\n");
}
var GraphqlResponseError = class extends Error {
  constructor(request2, headers, response) {
    super(_buildMessageForResponseErrors(response));
    this.request = request2;
    this.headers = headers;
    this.response = response;
    this.errors = response.errors;
    this.data = response.data;
    if (Error.captureStackTrace) {
      Error.captureStackTrace(this, this.constructor);
    }
  }
  request;
  headers;
  response;
  name = "GraphqlResponseError";
  errors;
  data;
};

// pkg/dist-src/graphql.js
var NON_VARIABLE_OPTIONS = [
  "method",
  "baseUrl",
  "url",
  "headers",
  "request",
  "query",
  "mediaType",
  "operationName"
];
var FORBIDDEN_VARIABLE_OPTIONS = ["query", "method", "url"];
var GHES_V3_SUFFIX_REGEX = /\/api\/v3\/?$/;
function graphql(request2, query, options) {
  if (options) {
    if (typeof query === "string" && "query" in options) {
      return Promise.reject(
        new Error(`[@octokit/graphql] "query" cannot be used as variable name`)
      );
    }
    for (const key in options) {
      if (!FORBIDDEN_VARIABLE_OPTIONS.includes(key)) continue;
      return Promise.reject(
        new Error(
          `[@octokit/graphql] "${key}" cannot be used as variable name`
        )
      );
    }
  }
  const parsedOptions = typeof query === "string" ? Object.assign({ query }, options) : query;
  const requestOptions = Object.keys(
    parsedOptions
  ).reduce((result, key) => {
    if (NON_VARIABLE_OPTIONS.includes(key)) {
      result[key] = parsedOptions[key];
      return result;
    }
    if (!result.variables) {
      result.variables = {};
    }
    result.variables[key] = parsedOptions[key];
    return result;
  }, {});
  const baseUrl = parsedOptions.baseUrl || request2.endpoint.DEFAULTS.baseUrl;
  if (GHES_V3_SUFFIX_REGEX.test(baseUrl)) {
    requestOptions.url = baseUrl.replace(GHES_V3_SUFFIX_REGEX, "/api/graphql");
  }
  return request2(requestOptions).then((response) => {
    if (response.data.errors) {
      const headers = {};
      for (const key of Object.keys(response.headers)) {
        headers[key] = response.headers[key];
      }
      throw new GraphqlResponseError(
        requestOptions,
        headers,
        response.data
      );
    }
    return response.data.data;
  });
}

// pkg/dist-src/with-defaults.js
function graphql_dist_bundle_withDefaults(request2, newDefaults) {
  const newRequest = request2.defaults(newDefaults);
  const newApi = (query, options) => {
    return graphql(newRequest, query, options);
  };
  return Object.assign(newApi, {
    defaults: graphql_dist_bundle_withDefaults.bind(null, newRequest),
    endpoint: newRequest.endpoint
  });
}

// pkg/dist-src/index.js
var graphql2 = graphql_dist_bundle_withDefaults(request, {
  headers: {
    "user-agent": `octokit-graphql.js/${graphql_dist_bundle_VERSION} ${getUserAgent()}`
  },
  method: "POST",
  url: "/graphql"
});
function withCustomRequest(customRequest) {
  return graphql_dist_bundle_withDefaults(customRequest, {
    method: "POST",
    url: "/graphql"
  });
}

/* v8 ignore if -- @preserve */

;// CONCATENATED MODULE: ./node_modules/@octokit/auth-token/dist-bundle/index.js
// pkg/dist-src/is-jwt.js
var b64url = "(?:[a-zA-Z0-9_-]+)";
var sep = "\\.";
var jwtRE = new RegExp(`^${b64url}${sep}${b64url}${sep}${b64url}$`);
var isJWT = jwtRE.test.bind(jwtRE);

// pkg/dist-src/auth.js
async function auth(token) {
  const isApp = isJWT(token);
  const isInstallation = token.startsWith("v1.") || token.startsWith("ghs_");
  const isUserToServer = token.startsWith("ghu_");
  const tokenType = isApp ? "app" : isInstallation ? "installation" : isUserToServer ? "user-to-server" : "oauth";
  return {
    type: "token",
    token,
    tokenType
  };
}

// pkg/dist-src/with-authorization-prefix.js
function withAuthorizationPrefix(token) {
  if (token.split(/\./).length === 3) {
    return `bearer ${token}`;
  }
  return `token ${token}`;
}

// pkg/dist-src/hook.js
async function hook(token, request, route, parameters) {
  const endpoint = request.endpoint.merge(
    route,
    parameters
  );
  endpoint.headers.authorization = withAuthorizationPrefix(token);
  return request(endpoint);
}

// pkg/dist-src/index.js
var createTokenAuth = function createTokenAuth2(token) {
  if (!token) {
    throw new Error("[@octokit/auth-token] No token passed to createTokenAuth");
  }
  if (typeof token !== "string") {
    throw new Error(
      "[@octokit/auth-token] Token passed to createTokenAuth is not a string"
    );
  }
  token = token.replace(/^(token|bearer) +/i, "");
  return Object.assign(auth.bind(null, token), {
    hook: hook.bind(null, token)
  });
};


;// CONCATENATED MODULE: ./node_modules/@octokit/core/dist-src/version.js
const version_VERSION = "7.0.8";


;// CONCATENATED MODULE: ./node_modules/@octokit/core/dist-src/index.js






const dist_src_noop = () => {
};
const consoleWarn = console.warn.bind(console);
const consoleError = console.error.bind(console);
function createLogger(logger = {}) {
  if (typeof logger.debug !== "function") {
    logger.debug = dist_src_noop;
  }
  if (typeof logger.info !== "function") {
    logger.info = dist_src_noop;
  }
  if (typeof logger.warn !== "function") {
    logger.warn = consoleWarn;
  }
  if (typeof logger.error !== "function") {
    logger.error = consoleError;
  }
  return logger;
}
const userAgentTrail = `octokit-core.js/${version_VERSION} ${getUserAgent()}`;
class Octokit {
  static VERSION = version_VERSION;
  static defaults(defaults) {
    const OctokitWithDefaults = class extends this {
      constructor(...args) {
        const options = args[0] || {};
        if (typeof defaults === "function") {
          super(defaults(options));
          return;
        }
        super(
          Object.assign(
            {},
            defaults,
            options,
            options.userAgent && defaults.userAgent ? {
              userAgent: `${options.userAgent} ${defaults.userAgent}`
            } : null
          )
        );
      }
    };
    return OctokitWithDefaults;
  }
  static plugins = [];
  /**
   * Attach a plugin (or many) to your Octokit instance.
   *
   * @example
   * const API = Octokit.plugin(plugin1, plugin2, plugin3, ...)
   */
  static plugin(...newPlugins) {
    const currentPlugins = this.plugins;
    const NewOctokit = class extends this {
      static plugins = currentPlugins.concat(
        newPlugins.filter((plugin) => !currentPlugins.includes(plugin))
      );
    };
    return NewOctokit;
  }
  constructor(options = {}) {
    const hook = new before_after_hook.Collection();
    const requestDefaults = {
      baseUrl: request.endpoint.DEFAULTS.baseUrl,
      headers: {},
      request: Object.assign({}, options.request, {
        // @ts-ignore internal usage only, no need to type
        hook: hook.bind(null, "request")
      }),
      mediaType: {
        previews: [],
        format: ""
      }
    };
    requestDefaults.headers["user-agent"] = options.userAgent ? `${options.userAgent} ${userAgentTrail}` : userAgentTrail;
    if (options.baseUrl) {
      requestDefaults.baseUrl = options.baseUrl;
    }
    if (options.previews) {
      requestDefaults.mediaType.previews = options.previews;
    }
    if (options.timeZone) {
      requestDefaults.headers["time-zone"] = options.timeZone;
    }
    this.request = request.defaults(requestDefaults);
    this.graphql = withCustomRequest(this.request).defaults(requestDefaults);
    this.log = createLogger(options.log);
    this.hook = hook;
    if (!options.authStrategy) {
      if (!options.auth) {
        this.auth = async () => ({
          type: "unauthenticated"
        });
      } else {
        const auth = createTokenAuth(options.auth);
        hook.wrap("request", auth.hook);
        this.auth = auth;
      }
    } else {
      const { authStrategy, ...otherOptions } = options;
      const auth = authStrategy(
        Object.assign(
          {
            request: this.request,
            log: this.log,
            // we pass the current octokit instance as well as its constructor options
            // to allow for authentication strategies that return a new octokit instance
            // that shares the same internal state as the current one. The original
            // requirement for this was the "event-octokit" authentication strategy
            // of https://github.com/probot/octokit-auth-probot.
            octokit: this,
            octokitOptions: otherOptions
          },
          options.auth
        )
      );
      hook.wrap("request", auth.hook);
      this.auth = auth;
    }
    const classConstructor = this.constructor;
    for (let i = 0; i < classConstructor.plugins.length; ++i) {
      Object.assign(this, classConstructor.plugins[i](this, options));
    }
  }
  // assigned during constructor
  request;
  graphql;
  log;
  hook;
  // TODO: type `octokit.auth` based on passed options.authStrategy
  auth;
}


;// CONCATENATED MODULE: ./node_modules/@octokit/plugin-paginate-rest/dist-bundle/index.js
// pkg/dist-src/version.js
var plugin_paginate_rest_dist_bundle_VERSION = "0.0.0-development";

// pkg/dist-src/normalize-paginated-list-response.js
function normalizePaginatedListResponse(response) {
  if (!response.data) {
    return {
      ...response,
      data: []
    };
  }
  const responseNeedsNormalization = ("total_count" in response.data || "total_commits" in response.data) && !("url" in response.data);
  if (!responseNeedsNormalization) return response;
  const incompleteResults = response.data.incomplete_results;
  const repositorySelection = response.data.repository_selection;
  const totalCount = response.data.total_count;
  const totalCommits = response.data.total_commits;
  delete response.data.incomplete_results;
  delete response.data.repository_selection;
  delete response.data.total_count;
  delete response.data.total_commits;
  const namespaceKey = Object.keys(response.data)[0];
  const data = response.data[namespaceKey];
  response.data = data;
  if (typeof incompleteResults !== "undefined") {
    response.data.incomplete_results = incompleteResults;
  }
  if (typeof repositorySelection !== "undefined") {
    response.data.repository_selection = repositorySelection;
  }
  response.data.total_count = totalCount;
  response.data.total_commits = totalCommits;
  return response;
}

// pkg/dist-src/iterator.js
function iterator(octokit, route, parameters) {
  const options = typeof route === "function" ? route.endpoint(parameters) : octokit.request.endpoint(route, parameters);
  const requestMethod = typeof route === "function" ? route : octokit.request;
  const method = options.method;
  const headers = options.headers;
  let url = options.url;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (!url) return { done: true };
        try {
          const response = await requestMethod({ method, url, headers });
          const normalizedResponse = normalizePaginatedListResponse(response);
          url = ((normalizedResponse.headers.link || "").match(
            /<([^<>]+)>;\s*rel="next"/
          ) || [])[1];
          if (!url && "total_commits" in normalizedResponse.data) {
            const parsedUrl = new URL(normalizedResponse.url);
            const params = parsedUrl.searchParams;
            const page = parseInt(params.get("page") || "1", 10);
            const per_page = parseInt(params.get("per_page") || "250", 10);
            if (page * per_page < normalizedResponse.data.total_commits) {
              params.set("page", String(page + 1));
              url = parsedUrl.toString();
            }
          }
          return { value: normalizedResponse };
        } catch (error) {
          if (error.status !== 409) throw error;
          url = "";
          return {
            value: {
              status: 200,
              headers: {},
              data: []
            }
          };
        }
      }
    })
  };
}

// pkg/dist-src/paginate.js
function paginate(octokit, route, parameters, mapFn) {
  if (typeof parameters === "function") {
    mapFn = parameters;
    parameters = void 0;
  }
  return gather(
    octokit,
    [],
    iterator(octokit, route, parameters)[Symbol.asyncIterator](),
    mapFn
  );
}
function gather(octokit, results, iterator2, mapFn) {
  return iterator2.next().then((result) => {
    if (result.done) {
      return results;
    }
    let earlyExit = false;
    function done() {
      earlyExit = true;
    }
    results = results.concat(
      mapFn ? mapFn(result.value, done) : result.value.data
    );
    if (earlyExit) {
      return results;
    }
    return gather(octokit, results, iterator2, mapFn);
  });
}

// pkg/dist-src/compose-paginate.js
var composePaginateRest = Object.assign(paginate, {
  iterator
});

// pkg/dist-src/generated/paginating-endpoints.js
var paginatingEndpoints = (/* unused pure expression or super */ null && ([
  "GET /advisories",
  "GET /agents/repos/{owner}/{repo}/tasks",
  "GET /agents/tasks",
  "GET /app/hook/deliveries",
  "GET /app/installation-requests",
  "GET /app/installations",
  "GET /assignments/{assignment_id}/accepted_assignments",
  "GET /classrooms",
  "GET /classrooms/{classroom_id}/assignments",
  "GET /enterprises/{enterprise}/code-security/configurations",
  "GET /enterprises/{enterprise}/code-security/configurations/{configuration_id}/repositories",
  "GET /enterprises/{enterprise}/dependabot/alerts",
  "GET /enterprises/{enterprise}/dependabot/repository-access",
  "GET /enterprises/{enterprise}/teams",
  "GET /enterprises/{enterprise}/teams/{enterprise-team}/memberships",
  "GET /enterprises/{enterprise}/teams/{enterprise-team}/organizations",
  "GET /events",
  "GET /gists",
  "GET /gists/public",
  "GET /gists/starred",
  "GET /gists/{gist_id}/comments",
  "GET /gists/{gist_id}/commits",
  "GET /gists/{gist_id}/forks",
  "GET /installation/repositories",
  "GET /issues",
  "GET /licenses",
  "GET /marketplace_listing/plans",
  "GET /marketplace_listing/plans/{plan_id}/accounts",
  "GET /marketplace_listing/stubbed/plans",
  "GET /marketplace_listing/stubbed/plans/{plan_id}/accounts",
  "GET /networks/{owner}/{repo}/events",
  "GET /notifications",
  "GET /organizations",
  "GET /organizations/{org}/settings/billing/budgets",
  "GET /orgs/{org}/actions/cache/usage-by-repository",
  "GET /orgs/{org}/actions/hosted-runners",
  "GET /orgs/{org}/actions/permissions/repositories",
  "GET /orgs/{org}/actions/permissions/self-hosted-runners/repositories",
  "GET /orgs/{org}/actions/runner-groups",
  "GET /orgs/{org}/actions/runner-groups/{runner_group_id}/hosted-runners",
  "GET /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories",
  "GET /orgs/{org}/actions/runner-groups/{runner_group_id}/runners",
  "GET /orgs/{org}/actions/runners",
  "GET /orgs/{org}/actions/secrets",
  "GET /orgs/{org}/actions/secrets/{secret_name}/repositories",
  "GET /orgs/{org}/actions/variables",
  "GET /orgs/{org}/actions/variables/{name}/repositories",
  "GET /orgs/{org}/agents/secrets",
  "GET /orgs/{org}/agents/secrets/{secret_name}/repositories",
  "GET /orgs/{org}/agents/variables",
  "GET /orgs/{org}/agents/variables/{name}/repositories",
  "GET /orgs/{org}/attestations/repositories",
  "GET /orgs/{org}/attestations/{subject_digest}",
  "GET /orgs/{org}/blocks",
  "GET /orgs/{org}/campaigns",
  "GET /orgs/{org}/code-scanning/alerts",
  "GET /orgs/{org}/code-security/configurations",
  "GET /orgs/{org}/code-security/configurations/{configuration_id}/repositories",
  "GET /orgs/{org}/codespaces",
  "GET /orgs/{org}/codespaces/secrets",
  "GET /orgs/{org}/codespaces/secrets/{secret_name}/repositories",
  "GET /orgs/{org}/copilot-spaces",
  "GET /orgs/{org}/copilot/billing/seats",
  "GET /orgs/{org}/copilot/coding-agent/permissions/repositories",
  "GET /orgs/{org}/dependabot/alerts",
  "GET /orgs/{org}/dependabot/repository-access",
  "GET /orgs/{org}/dependabot/secrets",
  "GET /orgs/{org}/dependabot/secrets/{secret_name}/repositories",
  "GET /orgs/{org}/events",
  "GET /orgs/{org}/failed_invitations",
  "GET /orgs/{org}/hooks",
  "GET /orgs/{org}/hooks/{hook_id}/deliveries",
  "GET /orgs/{org}/insights/api/route-stats/{actor_type}/{actor_id}",
  "GET /orgs/{org}/insights/api/subject-stats",
  "GET /orgs/{org}/insights/api/user-stats/{user_id}",
  "GET /orgs/{org}/installations",
  "GET /orgs/{org}/invitations",
  "GET /orgs/{org}/invitations/{invitation_id}/teams",
  "GET /orgs/{org}/issues",
  "GET /orgs/{org}/members",
  "GET /orgs/{org}/members/{username}/codespaces",
  "GET /orgs/{org}/migrations",
  "GET /orgs/{org}/migrations/{migration_id}/repositories",
  "GET /orgs/{org}/organization-roles/{role_id}/teams",
  "GET /orgs/{org}/organization-roles/{role_id}/users",
  "GET /orgs/{org}/outside_collaborators",
  "GET /orgs/{org}/packages",
  "GET /orgs/{org}/packages/{package_type}/{package_name}/versions",
  "GET /orgs/{org}/personal-access-token-requests",
  "GET /orgs/{org}/personal-access-token-requests/{pat_request_id}/repositories",
  "GET /orgs/{org}/personal-access-tokens",
  "GET /orgs/{org}/personal-access-tokens/{pat_id}/repositories",
  "GET /orgs/{org}/private-registries",
  "GET /orgs/{org}/projectsV2",
  "GET /orgs/{org}/projectsV2/{project_number}/fields",
  "GET /orgs/{org}/projectsV2/{project_number}/items",
  "GET /orgs/{org}/projectsV2/{project_number}/views/{view_number}/items",
  "GET /orgs/{org}/properties/values",
  "GET /orgs/{org}/public_members",
  "GET /orgs/{org}/repos",
  "GET /orgs/{org}/rulesets",
  "GET /orgs/{org}/rulesets/rule-suites",
  "GET /orgs/{org}/rulesets/{ruleset_id}/history",
  "GET /orgs/{org}/secret-scanning/alerts",
  "GET /orgs/{org}/secret-scanning/custom-patterns",
  "GET /orgs/{org}/security-advisories",
  "GET /orgs/{org}/settings/immutable-releases/repositories",
  "GET /orgs/{org}/settings/network-configurations",
  "GET /orgs/{org}/teams",
  "GET /orgs/{org}/teams/{team_slug}/invitations",
  "GET /orgs/{org}/teams/{team_slug}/members",
  "GET /orgs/{org}/teams/{team_slug}/repos",
  "GET /orgs/{org}/teams/{team_slug}/teams",
  "GET /repos/{owner}/{repo}/actions/artifacts",
  "GET /repos/{owner}/{repo}/actions/caches",
  "GET /repos/{owner}/{repo}/actions/concurrency_groups",
  "GET /repos/{owner}/{repo}/actions/organization-secrets",
  "GET /repos/{owner}/{repo}/actions/organization-variables",
  "GET /repos/{owner}/{repo}/actions/runners",
  "GET /repos/{owner}/{repo}/actions/runs",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/concurrency_groups",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
  "GET /repos/{owner}/{repo}/actions/secrets",
  "GET /repos/{owner}/{repo}/actions/variables",
  "GET /repos/{owner}/{repo}/actions/workflows",
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
  "GET /repos/{owner}/{repo}/activity",
  "GET /repos/{owner}/{repo}/agents/organization-secrets",
  "GET /repos/{owner}/{repo}/agents/organization-variables",
  "GET /repos/{owner}/{repo}/agents/secrets",
  "GET /repos/{owner}/{repo}/agents/variables",
  "GET /repos/{owner}/{repo}/assignees",
  "GET /repos/{owner}/{repo}/attestations/{subject_digest}",
  "GET /repos/{owner}/{repo}/branches",
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
  "GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs",
  "GET /repos/{owner}/{repo}/code-quality/findings",
  "GET /repos/{owner}/{repo}/code-scanning/alerts",
  "GET /repos/{owner}/{repo}/code-scanning/alerts/{alert_number}/instances",
  "GET /repos/{owner}/{repo}/code-scanning/analyses",
  "GET /repos/{owner}/{repo}/codespaces",
  "GET /repos/{owner}/{repo}/codespaces/devcontainers",
  "GET /repos/{owner}/{repo}/codespaces/secrets",
  "GET /repos/{owner}/{repo}/collaborators",
  "GET /repos/{owner}/{repo}/comments",
  "GET /repos/{owner}/{repo}/comments/{comment_id}/reactions",
  "GET /repos/{owner}/{repo}/commits",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/comments",
  "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-suites",
  "GET /repos/{owner}/{repo}/commits/{ref}/status",
  "GET /repos/{owner}/{repo}/commits/{ref}/statuses",
  "GET /repos/{owner}/{repo}/compare/{basehead}",
  "GET /repos/{owner}/{repo}/compare/{base}...{head}",
  "GET /repos/{owner}/{repo}/contributors",
  "GET /repos/{owner}/{repo}/dependabot/alerts",
  "GET /repos/{owner}/{repo}/dependabot/secrets",
  "GET /repos/{owner}/{repo}/deployments",
  "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses",
  "GET /repos/{owner}/{repo}/environments",
  "GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies",
  "GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/apps",
  "GET /repos/{owner}/{repo}/environments/{environment_name}/secrets",
  "GET /repos/{owner}/{repo}/environments/{environment_name}/variables",
  "GET /repos/{owner}/{repo}/events",
  "GET /repos/{owner}/{repo}/forks",
  "GET /repos/{owner}/{repo}/hooks",
  "GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries",
  "GET /repos/{owner}/{repo}/invitations",
  "GET /repos/{owner}/{repo}/issues",
  "GET /repos/{owner}/{repo}/issues/comments",
  "GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
  "GET /repos/{owner}/{repo}/issues/events",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/events",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/issue-field-values",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/labels",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/reactions",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/suggestions",
  "GET /repos/{owner}/{repo}/issues/{issue_number}/timeline",
  "GET /repos/{owner}/{repo}/keys",
  "GET /repos/{owner}/{repo}/labels",
  "GET /repos/{owner}/{repo}/milestones",
  "GET /repos/{owner}/{repo}/milestones/{milestone_number}/labels",
  "GET /repos/{owner}/{repo}/notifications",
  "GET /repos/{owner}/{repo}/pages/builds",
  "GET /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/comments",
  "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments",
  "GET /repos/{owner}/{repo}/releases",
  "GET /repos/{owner}/{repo}/releases/{release_id}/assets",
  "GET /repos/{owner}/{repo}/releases/{release_id}/reactions",
  "GET /repos/{owner}/{repo}/rules/branches/{branch}",
  "GET /repos/{owner}/{repo}/rulesets",
  "GET /repos/{owner}/{repo}/rulesets/rule-suites",
  "GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history",
  "GET /repos/{owner}/{repo}/secret-scanning/alerts",
  "GET /repos/{owner}/{repo}/secret-scanning/alerts/{alert_number}/locations",
  "GET /repos/{owner}/{repo}/secret-scanning/custom-patterns",
  "GET /repos/{owner}/{repo}/security-advisories",
  "GET /repos/{owner}/{repo}/stacks",
  "GET /repos/{owner}/{repo}/stargazers",
  "GET /repos/{owner}/{repo}/subscribers",
  "GET /repos/{owner}/{repo}/tags",
  "GET /repos/{owner}/{repo}/teams",
  "GET /repos/{owner}/{repo}/topics",
  "GET /repositories",
  "GET /search/code",
  "GET /search/commits",
  "GET /search/issues",
  "GET /search/labels",
  "GET /search/repositories",
  "GET /search/topics",
  "GET /search/users",
  "GET /teams/{team_id}/invitations",
  "GET /teams/{team_id}/members",
  "GET /teams/{team_id}/repos",
  "GET /teams/{team_id}/teams",
  "GET /user/blocks",
  "GET /user/codespaces",
  "GET /user/codespaces/secrets",
  "GET /user/emails",
  "GET /user/followers",
  "GET /user/following",
  "GET /user/gpg_keys",
  "GET /user/installations",
  "GET /user/installations/{installation_id}/repositories",
  "GET /user/issues",
  "GET /user/keys",
  "GET /user/marketplace_purchases",
  "GET /user/marketplace_purchases/stubbed",
  "GET /user/memberships/orgs",
  "GET /user/migrations",
  "GET /user/migrations/{migration_id}/repositories",
  "GET /user/orgs",
  "GET /user/packages",
  "GET /user/packages/{package_type}/{package_name}/versions",
  "GET /user/public_emails",
  "GET /user/repos",
  "GET /user/repository_invitations",
  "GET /user/social_accounts",
  "GET /user/ssh_signing_keys",
  "GET /user/starred",
  "GET /user/subscriptions",
  "GET /user/teams",
  "GET /users",
  "GET /users/{username}/attestations/{subject_digest}",
  "GET /users/{username}/copilot-spaces",
  "GET /users/{username}/events",
  "GET /users/{username}/events/orgs/{org}",
  "GET /users/{username}/events/public",
  "GET /users/{username}/followers",
  "GET /users/{username}/following",
  "GET /users/{username}/gists",
  "GET /users/{username}/gpg_keys",
  "GET /users/{username}/keys",
  "GET /users/{username}/orgs",
  "GET /users/{username}/packages",
  "GET /users/{username}/projectsV2",
  "GET /users/{username}/projectsV2/{project_number}/fields",
  "GET /users/{username}/projectsV2/{project_number}/items",
  "GET /users/{username}/projectsV2/{project_number}/views/{view_number}/items",
  "GET /users/{username}/received_events",
  "GET /users/{username}/received_events/public",
  "GET /users/{username}/repos",
  "GET /users/{username}/social_accounts",
  "GET /users/{username}/ssh_signing_keys",
  "GET /users/{username}/starred",
  "GET /users/{username}/subscriptions"
]));

// pkg/dist-src/paginating-endpoints.js
function isPaginatingEndpoint(arg) {
  if (typeof arg === "string") {
    return paginatingEndpoints.includes(arg);
  } else {
    return false;
  }
}

// pkg/dist-src/index.js
function paginateRest(octokit) {
  return {
    paginate: Object.assign(paginate.bind(null, octokit), {
      iterator: iterator.bind(null, octokit)
    })
  };
}
paginateRest.VERSION = plugin_paginate_rest_dist_bundle_VERSION;

/* v8 ignore next -- @preserve */

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

;// CONCATENATED MODULE: ./src/github/octokit.ts





const GitHubClient = Octokit.plugin(paginateRest);
/** A request that hangs gives up after this long. */
const TIMEOUT_MS = 10_000;
/** Retries after the first try (contract 5.7). */
const RETRIES = 3;
/** A rate limit that asks for a longer wait ends the try: the thread is not worth a runner that sleeps. */
const LONGEST_WAIT_MS = 60_000;
function githubClient(deps, access) {
    return new GitHubClient({
        baseUrl: access.apiUrl,
        ...(access.token === '' ? {} : { auth: access.token }),
        userAgent: `docs-agent-action/${VERSION}`,
        request: { fetch: retrying(deps) },
        log: { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } },
    });
}
/** `fetch` with a time limit for the whole answer, and with retries after rate limits and faults of the server. */
function retrying(deps) {
    return async (input, init) => {
        const url = String(input);
        const method = init?.method ?? 'GET';
        // A second comment would be read by people: whoever makes comments looks first whether this one is there.
        const repeatable = !(method === 'POST' && url.endsWith('/comments'));
        for (let retry = 0;; retry++) {
            const answer = await exchange(deps, {
                method,
                url,
                headers: init?.headers,
                ...(typeof init?.body === 'string' ? { body: init.body } : {}),
                redirect: 'follow',
                timeoutMs: TIMEOUT_MS,
                signal: deps.cancellation.everythingEnds,
            });
            const wait = waitMs(answer, deps.now(), retry, repeatable);
            const { requested } = deps.cancellation;
            if (wait === undefined || retry >= RETRIES || wait > LONGEST_WAIT_MS || requested.aborted) {
                return responseOf(answer);
            }
            await deps.sleep(wait, requested).catch(() => undefined);
        }
    };
}
/** How long to wait before the next try, or undefined when the answer stands. */
function waitMs(answer, now, retry, repeatable) {
    const { status, headers } = answer;
    const spent = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
    const limited = spent && (status === 403 || status === 429);
    if (!limited && !(status >= 500 && repeatable))
        return undefined;
    return Math.max(retryAfterMs(headers, now) ?? 0, 500 * 2 ** retry);
}
/** What octokit reads: the constructor takes no body for the statuses that have none. */
function responseOf({ status, headers, text }) {
    return new Response(status === 204 || status === 205 || status === 304 ? null : text, { status, headers });
}

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
;// CONCATENATED MODULE: ./src/trigger/event.ts



/** The payload is at most a few hundred kilobytes; GitHub caps webhooks at 25 MB. */
async function readTrigger(environment) {
    const { eventName, eventPath } = environment;
    const json = eventPath === '' ? '{}' : await readEventFile(eventPath);
    const payload = parse(json);
    if (isObject(payload))
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
        release: isObject(payload.release) ? release(payload.release) : undefined,
    };
}
function account(value) {
    const { login, type } = object(value);
    if (typeof login !== 'string' || !/^[\w-]{1,100}(\[bot\])?$/.test(login))
        return undefined;
    return { login, bot: type === 'Bot' || login.endsWith('[bot]') };
}
function comment(kind, value) {
    const raw = object(value);
    const commentId = id(raw.id);
    if (commentId === undefined)
        return undefined;
    return {
        kind,
        id: commentId,
        body: json_text(raw.body),
        author: account(raw.user),
        path: json_text(raw.path),
        line: id(raw.line) ?? id(raw.original_line),
        hunk: json_text(raw.diff_hunk),
    };
}
function subject(payload) {
    const isPullRequest = isObject(payload.pull_request);
    const raw = object(isPullRequest ? payload.pull_request : payload.issue);
    const number = id(raw.number);
    if (number === undefined)
        return undefined;
    const [base, head] = [object(raw.base), object(raw.head)];
    return {
        number,
        isPullRequest: isPullRequest || isObject(raw.pull_request),
        title: json_text(raw.title),
        body: json_text(raw.body),
        url: json_text(raw.html_url),
        author: account(raw.user),
        base: json_text(base.ref),
        head: json_text(head.ref),
        fromFork: isPullRequest && json_text(object(head.repo).full_name) !== json_text(object(base.repo).full_name),
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
const marker_VERSION = '1';
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
    return `<!-- docs-agent:${marker_VERSION}:${payload}:${sign(payload, scope)} -->`;
}
/** The marker at the end of a comment's body, if it is ours, whole, and made for this very thread. */
function readMarker(body, scope) {
    const [, version, payload = '', hmac = ''] = MARKER.exec(body) ?? [];
    if (version !== marker_VERSION || !sameText(hmac, sign(payload, scope)))
        return undefined;
    return narrow(parse(Buffer.from(payload, 'base64url').toString()));
}
/** Whether the text holds anything that looks like a marker, whoever wrote it. */
const marker_carriesMarker = (body) => ANY_MARKER.test(body);
function sign(payload, scope) {
    const parts = [marker_VERSION, payload, scope.repository.toLowerCase(), String(scope.thread), scope.projectId];
    return (0,external_node_crypto_.createHmac)('sha256', keyOf(scope.apiKey)).update(JSON.stringify(parts)).digest('base64url');
}
const keyOf = (apiKey) => Buffer.from((0,external_node_crypto_.hkdfSync)('sha256', apiKey, '', 'docs-agent marker', 32));
function sameText(a, b) {
    const [left, right] = [Buffer.from(a), Buffer.from(b)];
    return left.length === right.length && (0,external_node_crypto_.timingSafeEqual)(left, right);
}
/** The payload is ours once its HMAC holds; it is narrowed all the same, since an older release may have made it. */
function narrow(value) {
    if (!isObject(value))
        return undefined;
    const raw = object(value);
    const state = json_text(raw[KEYS.state]);
    if (!isState(state))
        return undefined;
    return {
        state,
        key: json_text(raw[KEYS.key]),
        job: json_text(raw[KEYS.job]),
        status: json_text(raw[KEYS.status]),
        pr: json_text(raw[KEYS.pr]),
        run: json_text(raw[KEYS.run]),
        until: id(raw[KEYS.until]) ?? 0,
        at: id(raw[KEYS.at]) ?? 0,
        from: id(raw[KEYS.from]) ?? 0,
        messaged: id(raw[KEYS.messaged]) ?? 0,
        asker: json_text(raw[KEYS.asker]),
        comment: json_text(raw[KEYS.comment]),
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

;// CONCATENATED MODULE: ./src/core/choices.ts
/** The words that inputs choose from, where more than one part goes by them. */
const CONVERSATIONS = (/* unused pure expression or super */ null && (['continue', 'skip', 'new']));
/** From least to most. */
const PERMISSIONS = (/* unused pure expression or super */ null && (['none', 'read', 'triage', 'write', 'maintain', 'admin']));
const COMMENT_MODES = ['recreate', 'update', 'off'];

;// CONCATENATED MODULE: ./src/collect/inputs.ts



/** A month: GitHub keeps the logs of a run longer, but nobody waits that long for a job of minutes. */
const MAX_HOURS = 744;
/** @throws {BadInput} on the first input that cannot be used */
function readCollectInputs(inputs) {
    return {
        access: readAccess(inputs),
        githubToken: inputs('github-token') ?? '',
        sinceMs: (0,read/* numberIn */.Po)(inputs, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
        comment: (0,read/* choice */.Yq)(inputs, 'comment', COMMENT_MODES, 'recreate'),
    };
}

;// CONCATENATED MODULE: ./src/github/repository.ts
/** `owner/name` as the parameters of GitHub's routes. */
function repositoryParts(repository) {
    const [owner = '', repo = ''] = repository.split('/');
    return { owner, repo };
}

;// CONCATENATED MODULE: ./src/collect/open-requests.ts



/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
function isUncollected({ state, job, until }, now) {
    return job !== '' && (state === 'parted' || (state === 'open' && until * 1000 <= now));
}
/**
 * Reads the repository's issue comments updated since then, a hundred a request, and keeps the newest marker of each
 * request: one whose end was reported after all is newer than the comment that says it is open.
 * @returns those to look after, in the order in which they were asked
 * @throws what octokit throws
 */
async function openRequests(github, everywhere, since, now) {
    const newest = new Map();
    const pages = github.paginate.iterator('GET /repos/{owner}/{repo}/issues/comments', {
        ...repositoryParts(everywhere.repository),
        since: new Date(since).toISOString(),
        per_page: 100,
    });
    for await (const { data } of pages) {
        for (const request of data.flatMap((comment) => requestOf(comment, everywhere))) {
            const key = `${request.thread}:${request.marker.key}`;
            newest.set(key, newer(newest.get(key), request));
        }
    }
    return [...newest.values()]
        .filter(({ marker }) => isUncollected(marker, now))
        .sort((a, b) => a.marker.from - b.marker.from);
}
function newer(known, other) {
    if (known === undefined)
        return other;
    const { thread, marker } = known.marker.at < other.marker.at ? other : known;
    return { thread, marker, touched: Math.min(known.touched, other.touched) };
}
function requestOf(comment, everywhere) {
    const { body, issue_url, updated_at } = object(comment);
    const thread = id(Number(/\/(\d+)$/.exec(json_text(issue_url))?.[1]));
    if (thread === undefined)
        return [];
    const marker = readMarker(json_text(body).replaceAll('\r\n', '\n'), { ...everywhere, thread });
    return marker === undefined || marker.state === 'refusal' || marker.state === 'pointer'
        ? []
        : [{ thread, marker, touched: Date.parse(json_text(updated_at)) || 0 }];
}

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
    const value = parse(text);
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

;// CONCATENATED MODULE: ./src/core/link.ts
/**
 * The link as the URL parser writes it, if people can be sent there: `https:`, printable ASCII, no credentials, at
 * most 2,000 characters. Undefined for everything else (contract 2.2).
 */
function usableLink(link) {
    if (link.length > 2000 || !/^[\x21-\x7e]+$/.test(link) || !URL.canParse(link))
        return undefined;
    const url = new URL(link);
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
        return undefined;
    return /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}
const PULL_PATH = /^\/([\w.-]+)\/([\w.-]+)\/pull\/([1-9]\d{0,9})\/?$/;
/** Which pull request the link leads to, or undefined if it leads to another host or another kind of page. */
function pullRequestOf(link, serverUrl) {
    if (!URL.canParse(link) || !URL.canParse(serverUrl))
        return undefined;
    const url = new URL(link);
    const [, owner, repo, number] = PULL_PATH.exec(url.pathname) ?? [];
    if (url.host !== new URL(serverUrl).host || owner === undefined || repo === undefined)
        return undefined;
    return { owner, repo, number: Number(number) };
}
/** `octo/docs#77` for links to pull and merge requests, else the host and path. */
function linkName(link) {
    const { host, pathname } = new URL(link);
    const [, path, number] = /^\/(.+?)\/(?:-\/)?(?:pull|pull-requests|merge_requests)\/(\d+)\/?$/.exec(pathname) ?? [];
    return path === undefined ? host + pathname : `${path}#${number}`;
}

;// CONCATENATED MODULE: ./src/thread/words.ts


function tell(ending, setting) {
    const telling = TELLINGS[ending.outcome](ending, setting);
    return ending.note === '' ? telling : { ...telling, next: `${telling.next} ${ending.note}`.trim() };
}
const TELLINGS = {
    'pull-request': (ending, { command }) => ({
        sign: '✅',
        said: `The docs agent ${ending.followUp ? 'finished its work on' : 'opened'} ${prLink(ending)}`,
        rest: forAsker(ending),
        next: `Review it there. To ask for changes, reply here or there with \`${command} …\`.`,
    }),
    'no-pull-request': (ending, { command }) => ({
        sign: 'ℹ️',
        said: ending.job?.unusableLink
            ? 'The docs agent finished, with a link to its pull request that cannot be used'
            : 'The docs agent finished without opening a pull request',
        rest: toAsker(ending),
        next: ending.job?.unusableLink
            ? 'Open the job in the dashboard to find the pull request.'
            : `It found nothing to change, asked a question that nobody could see, or committed directly. Reply \`${command} …\` to say more, or open the job in the dashboard.`,
    }),
    archived: (ending, { command }) => ({
        sign: 'ℹ️',
        said: `The docs agent’s job was archived${ending.job?.prLink ? `, with ${prLink(ending)}` : ' before it opened a pull request'}`,
        rest: toAsker(ending),
        next: `Someone may have archived it in the dashboard. Reply \`${command} new …\` to start again.`,
    }),
    failed: (ending, { command }) => ({
        sign: '❌',
        said: 'The docs agent failed',
        rest: ` on this request${toAsker(ending)}`,
        next: `The service gives no cause for job ${jobId(ending)}. Look at it in the dashboard, or reply \`${command} new …\` to start again.`,
    }),
    'timed-out': (ending, { command, timeoutMs }) => ({
        sign: '⏳',
        said: ending.job
            ? `Still working after ${(0,core_text/* duration */.p0)(timeoutMs)}`
            : `Nothing was sent within ${(0,core_text/* duration */.p0)(timeoutMs)}`,
        rest: toAsker(ending),
        next: !ending.job
            ? 'GitHub or the service took too long. A re-run of the workflow starts it.'
            : `${ending.message} The job ${jobId(ending)} goes on; this run stopped waiting. \`${command} status\` asks how it stands; raise \`timeout-minutes\` to wait longer.`.trim(),
    }),
    cancelled: (ending, { command }) => ending.job === undefined
        ? {
            sign: '⏹️',
            said: 'The run was cancelled before it asked the docs agent',
            rest: toAsker(ending),
            next: 'A re-run of the workflow starts it.',
        }
        : {
            sign: '⏹️',
            said: `The run was cancelled; the job ${jobId(ending)} goes on`,
            rest: toAsker(ending),
            next: `\`${command} status\` asks how it stands, a re-run of the workflow picks it up.`,
        },
    started: (ending, { command }) => ({
        sign: '⏳',
        said: `The docs agent is working on job ${jobId(ending)}`,
        rest: forAsker(ending),
        next: `This run does not wait for it. \`${command} status\` asks how it stands.`,
    }),
    skipped: (ending, setting) => skipped(ending, setting),
    error: (ending) => ({
        sign: '❌',
        said: errorHeadline(ending),
        rest: toAsker(ending),
        next: ending.message,
    }),
};
function skipped(ending, setting) {
    const reason = ending.reason;
    const [sign, said, next] = SKIPPED[reason] ?? ['ℹ️', 'Nothing was asked of the docs agent', ''];
    return {
        sign,
        said: filled(said, {
            pr: prLink(ending),
            job: jobId(ending),
            needs: setting.needs,
            denied: setting.denied?.login || 'Whoever set this off',
        }),
        rest: toAsker(ending),
        next: `${ending.message} ${filled(next, { command: setting.command })}`.trim(),
    };
}
/** The text with its places filled: by a function, so that nothing in a value is taken for a pattern. */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
/** Sign, what happened, what to do; the message of the ending stands before the latter. */
const SKIPPED = {
    'not-a-command': ['ℹ️', 'The comment is no command', ''],
    'not-a-new-comment': ['ℹ️', 'The event is not a new comment', 'Edited and deleted comments start nothing.'],
    bot: ['ℹ️', 'A bot set this off', 'List its login in `allowed-bots` to let it.'],
    'agent-pull-request': [
        'ℹ️',
        'A bot or the docs agent opened this pull request',
        'List its author in `allowed-bots` to follow it all the same.',
    ],
    'permission-denied': [
        '🔒',
        '{denied} may not ask the docs agent: that needs {needs} permission on this repository',
        'A maintainer can run it for them.',
    ],
    'missing-secret': [
        'ℹ️',
        'GitHub withholds secrets from this run, so there is no `api-key`',
        'That is so for pull requests from forks and for Dependabot. A maintainer can comment `{command} …` instead.',
    ],
    'pull-request-open': [
        'ℹ️',
        'Nothing new was started: {pr} is still open',
        'Merge or close it, or reply `{command} new …`.',
    ],
    'job-active': [
        'ℹ️',
        'Nothing new was started: the job {job} still works',
        '`{command} status` asks how it stands.',
    ],
    'dry-run': ['ℹ️', 'Dry run: nothing was sent to the docs agent', 'The prompt that would be sent is below.'],
    help: ['ℹ️', 'How to ask the docs agent', ''],
    status: ['ℹ️', 'How the job stands', ''],
};
/** What an error did to the request, so that nobody has to guess it from the cause. */
function errorHeadline({ reason, job }) {
    if (reason === 'creation-uncertain')
        return 'It is not known whether a job was started';
    if (job !== undefined)
        return `The job ${(0,core_text/* code */.aY)(job.id)} can no longer be followed`;
    return ERROR_HEADLINES[reason] ?? 'The docs agent could not be asked';
}
const ERROR_HEADLINES = {
    'bad-input': 'An input of the workflow cannot be used',
    internal: 'The action failed for a reason of its own',
};
/** The sentence for log and annotation: the same words without Markdown. */
function plain(telling) {
    return plainText(`${telling.said}. ${telling.next}`);
}
/** `, @alice`, or nothing. */
const words_to = (asker) => (asker === '' ? '' : `, @${asker}`);
const toAsker = ({ asker }) => words_to(asker);
const forAsker = ({ asker }) => (asker === '' ? '' : ` for @${asker}`);
const jobId = ({ job }) => (0,core_text/* code */.aY)(job?.id ?? '');
const prLink = ({ job }) => words_link(job?.prLink ?? '');
/** A link that is checked already (contract 2.2); what Markdown would take for its end is encoded. */
function words_link(url) {
    if (url === '')
        return 'its pull request';
    const name = linkName(url).replace(/[\\[\]`*_<>@~|]/g, '\\$&');
    return `[${name}](${url.replace(/[()<>|]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)})`;
}

;// CONCATENATED MODULE: ./node_modules/yocto-queue/index.js
/*
How it works:
`this.#head` is an instance of `Node` which keeps track of its current value and nests another instance of `Node` that keeps the value that comes after it. When a value is provided to `.enqueue()`, the code needs to iterate through `this.#head`, going deeper and deeper to find the last value. However, iterating through every single item is slow. This problem is solved by saving a reference to the last value as `this.#tail` so that it can reference it to add a new value.
*/

class Node {
	value;
	next;

	constructor(value) {
		this.value = value;
	}
}

class Queue {
	#head;
	#tail;
	#size;

	constructor() {
		this.clear();
	}

	enqueue(value) {
		const node = new Node(value);

		if (this.#head) {
			this.#tail.next = node;
			this.#tail = node;
		} else {
			this.#head = node;
			this.#tail = node;
		}

		this.#size++;
	}

	dequeue() {
		const current = this.#head;
		if (!current) {
			return;
		}

		this.#head = this.#head.next;
		this.#size--;

		// Clean up tail reference when queue becomes empty
		if (!this.#head) {
			this.#tail = undefined;
		}

		return current.value;
	}

	peek() {
		if (!this.#head) {
			return;
		}

		return this.#head.value;

		// TODO: Node.js 18.
		// return this.#head?.value;
	}

	clear() {
		this.#head = undefined;
		this.#tail = undefined;
		this.#size = 0;
	}

	get size() {
		return this.#size;
	}

	* [Symbol.iterator]() {
		let current = this.#head;

		while (current) {
			yield current.value;
			current = current.next;
		}
	}

	* drain() {
		while (this.#head) {
			yield this.dequeue();
		}
	}
}

;// CONCATENATED MODULE: ./node_modules/p-limit/index.js


function pLimit(concurrency) {
	let rejectOnClear = false;

	if (typeof concurrency === 'object') {
		({concurrency, rejectOnClear = false} = concurrency);
	}

	validateConcurrency(concurrency);

	if (typeof rejectOnClear !== 'boolean') {
		throw new TypeError('Expected `rejectOnClear` to be a boolean');
	}

	const queue = new Queue();
	let activeCount = 0;

	const resumeNext = () => {
		// Process the next queued function if we're under the concurrency limit
		if (activeCount < concurrency && queue.size > 0) {
			activeCount++;
			queue.dequeue().run();
		}
	};

	const next = () => {
		activeCount--;
		resumeNext();
	};

	const run = async (function_, resolve, arguments_) => {
		// Execute the function and capture the result promise
		const result = (async () => function_(...arguments_))();

		// Resolve immediately with the promise (don't wait for completion)
		resolve(result);

		// Wait for the function to complete (success or failure)
		// We catch errors here to prevent unhandled rejections,
		// but the original promise rejection is preserved for the caller
		try {
			await result;
		} catch {}

		// Decrement active count and process next queued function
		next();
	};

	const enqueue = (function_, resolve, reject, arguments_) => {
		const queueItem = {reject};

		// Queue the internal resolve function instead of the run function
		// to preserve the asynchronous execution context.
		new Promise(internalResolve => { // eslint-disable-line promise/param-names
			queueItem.run = internalResolve;
			queue.enqueue(queueItem);
		}).then(run.bind(undefined, function_, resolve, arguments_)); // eslint-disable-line promise/prefer-await-to-then

		// Start processing immediately if we haven't reached the concurrency limit
		if (activeCount < concurrency) {
			resumeNext();
		}
	};

	const generator = (function_, ...arguments_) => new Promise((resolve, reject) => {
		enqueue(function_, resolve, reject, arguments_);
	});

	Object.defineProperties(generator, {
		activeCount: {
			get: () => activeCount,
		},
		pendingCount: {
			get: () => queue.size,
		},
		clearQueue: {
			value() {
				if (!rejectOnClear) {
					queue.clear();
					return;
				}

				const abortError = AbortSignal.abort().reason;

				while (queue.size > 0) {
					queue.dequeue().reject(abortError);
				}
			},
		},
		concurrency: {
			get: () => concurrency,

			set(newConcurrency) {
				validateConcurrency(newConcurrency);
				concurrency = newConcurrency;

				queueMicrotask(() => {
					// eslint-disable-next-line no-unmodified-loop-condition
					while (activeCount < concurrency && queue.size > 0) {
						resumeNext();
					}
				});
			},
		},
		map: {
			async value(iterable, function_) {
				const promises = [];

				try {
					Array.from(iterable, (value, index) => {
						const promise = generator(function_, value, index);
						promises.push(promise);
						return promise;
					});
				} catch (error) {
					// The iterable threw, so `Promise.all` never observes the already scheduled promises. Observe them here to avoid unhandled rejections.
					for (const promise of promises) {
						promise.catch(() => {}); // eslint-disable-line promise/prefer-await-to-then
					}

					throw error;
				}

				return Promise.all(promises);
			},
		},
	});

	return generator;
}

function limitFunction(function_, options) {
	const limit = pLimit(options);

	const limitedFunction = (...arguments_) => limit(() => function_(...arguments_));
	Object.defineProperty(limitedFunction, 'clearQueue', {
		value: limit.clearQueue,
	});

	return limitedFunction;
}

function validateConcurrency(concurrency) {
	if (!((Number.isInteger(concurrency) || concurrency === Number.POSITIVE_INFINITY) && concurrency > 0)) {
		throw new TypeError('Expected `concurrency` to be a number from 1 and up');
	}
}

;// CONCATENATED MODULE: ./src/core/job.ts



/** Statuses after which a job does nothing more on its own. */
const TERMINAL = new Set(['completed', 'archived', 'failed']);
const KNOWN = new Set([...TERMINAL, 'active']);
const isTerminal = (status) => TERMINAL.has(status);
const isKnownStatus = (status) => KNOWN.has(status);
/** Reads a job out of an answer's text. Undefined when it holds none: no JSON object, no usable id, or no status. */
function parseJob(text) {
    const job = parseAcceptedJob(text);
    return job === undefined || job.status === '' ? undefined : job;
}
/** A job of which only this much is remembered. */
function knownJob(known) {
    const unknown = { model: '', repository: '', ref: '', createdAt: '', archivedAt: '', unusableLink: false };
    return { ...unknown, id: known.job, status: known.status, prLink: usableLink(known.pr) ?? '' };
}
/** The same for the answer to create and message: the id alone will do, since that is what must not be lost. */
function parseAcceptedJob(text) {
    const raw = object(parse(text));
    const id = typeof raw.id === 'number' ? String(raw.id) : raw.id;
    if (typeof id !== 'string' || !isJobId(id))
        return undefined;
    const source = object(raw.source);
    const link = json_text(raw.prLink);
    const prLink = usableLink(link) ?? '';
    return {
        id,
        status: field(raw.status),
        prLink,
        unusableLink: link !== '' && prLink === '',
        model: field(raw.model),
        repository: field(source.repository),
        ref: field(source.ref),
        createdAt: field(raw.createdAt),
        archivedAt: field(raw.archivedAt),
    };
}
/** Printable ASCII that can stand in a path: `.` and `..` would climb out of it, even percent-encoded. */
const isJobId = (id) => /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id);
const field = (value) => (0,core_text/* oneLine */.TN)(json_text(value));

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
                'user-agent': `docs-agent-action/${VERSION}`,
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

;// CONCATENATED MODULE: ./src/agent/client.ts


/** A read gives up after 30 s, create and message after 90 s (contract 4.7). */
const READ_MS = 30_000;
const SEND_MS = 90_000;
function agentClient(deps, access) {
    const jobs = `/v2/agent/${encodeURIComponent(access.projectId)}/job`;
    const pathOf = (jobId) => `${jobs}/${encodeURIComponent(jobId)}`;
    async function request(call, parse, jobId = '') {
        const result = await callService(deps, access, call);
        if ('failure' in result)
            return result;
        const job = parse(result.answer.text);
        if (job !== undefined && jobId !== '' && job.id !== jobId) {
            return { failure: { kind: 'unreadable', detail: 'an answer about another job' } };
        }
        return job === undefined
            ? { failure: { kind: 'unreadable', detail: 'an answer that is no job' } }
            : { job };
    }
    const cancelledBy = (signal) => (signal === undefined ? {} : { signal });
    return {
        access,
        create: (prompt, signal) => request({ method: 'POST', path: jobs, body: { prompt }, timeoutMs: SEND_MS, ...cancelledBy(signal) }, parseAcceptedJob),
        message: (jobId, prompt, signal) => request({
            method: 'POST',
            path: `${pathOf(jobId)}/message`,
            body: { prompt },
            timeoutMs: SEND_MS,
            ...cancelledBy(signal),
        }, parseAcceptedJob, jobId),
        read: (jobId, timeoutMs = READ_MS, signal) => request({
            method: 'GET',
            path: pathOf(jobId),
            timeoutMs: Math.min(READ_MS, Math.max(1, timeoutMs)),
            ...cancelledBy(signal),
        }, parseJob, jobId),
    };
}

;// CONCATENATED MODULE: ./src/github/attempt.ts


/**
 * Commenting never decides the outcome (contract 5.6): what GitHub refuses becomes undefined and a warning. One for
 * an outage and one for each permission, since what refuses the first comment refuses the others too.
 */
function forgiving(runner) {
    const warned = new Set();
    return async (doing, permission, act) => {
        try {
            return await act();
        }
        catch (error) {
            const sentence = (0,core_text/* plainText */.wh)(`${explainGitHub(error, doing, permission)} The run goes on.`);
            const cause = isOutage(statusOf(error)) ? 'outage' : permission;
            runner.annotate(warned.has(cause) ? 'debug' : 'warning', sentence);
            warned.add(cause);
            return undefined;
        }
    };
}
/** GitHub was not reached, or is in trouble itself. */
const isOutage = (status) => status === 0 || status >= 500;

// EXTERNAL MODULE: ./src/runner/environment.ts
var runner_environment = __nccwpck_require__(5047);
;// CONCATENATED MODULE: ./src/thread/bodies.ts


/** The usage, as the answer to `/docs help`. */
function usage(command, permission) {
    return [
        `**ℹ️ How to ask the docs agent**, from a comment that begins with \`${command}\`:`,
        '',
        `- \`${command} explain the new retry option\` starts a job, or continues the one of this thread`,
        `- \`${command} new …\` starts a new job`,
        `- \`${command} status\` asks how the job stands`,
        '',
        permission === 'none'
            ? 'Everyone can ask.'
            : `Whoever asks needs ${permission} permission on this repository.`,
    ].join('\n');
}
/** The answer to `/docs status`. */
function statusAnswer({ job, asker, message }, command) {
    if (job === undefined) {
        const said = message === '' ? 'No job is known in this thread' : 'The job of this thread no longer exists';
        return `**ℹ️ ${said}**${to(asker)}.\n\`${command} …\` starts one.`;
    }
    const pr = job.prLink === '' ? 'It has no pull request yet.' : `Its pull request is ${link(job.prLink)}.`;
    return `**ℹ️ The job ${code(job.id)} is ${code(job.status) || 'in an unknown state'}**${to(asker)}.\n${pr}`;
}
/** Why the person was not let in. */
function refusal({ command, needs, denied }) {
    const login = denied?.login ?? '';
    const has = denied?.has || 'a permission that could not be read';
    const who = login === '' ? `\`${command}\`` : `@${login}, \`${command}\``;
    return `**🔒 ${who} needs ${needs} permission on this repository**; you have ${has}. A maintainer can run it for you.`;
}
/** The status comment while the action is at work. */
function working(asker, runUrl, started, job, prompt) {
    const whose = asker === '' ? 'is working' : `is working** on @${asker}'s request`;
    const line = `**⏳ The docs agent ${whose}${asker === '' ? '**' : ''}. [Follow the run](${runUrl}).`;
    const small = [job === '' ? '' : `job ${code(job)}`, `started ${started}`].filter(Boolean).join(' · ');
    return `${line}\n\n${foldedPrompt(prompt)}<sub>${small}</sub>`;
}
/** The one comment on the agent's own pull request. */
function pointer(threadName, command) {
    return `This pull request answers ${threadName}. To ask for changes, comment \`${command} …\` here.`;
}
/** Plain words read better without the frame of code. */
const word = (text) => (/^[\w.-]{0,50}$/.test(text) ? text : (0,core_text/* code */.aY)(text));
/** The result comment, without its marker. */
function resultComment(ending, setting, runUrl) {
    const telling = tell(ending, setting);
    const facts = [
        ending.job === undefined ? '' : `job ${(0,core_text/* code */.aY)(ending.job.id)}`,
        word(ending.job?.model ?? ''),
        (0,core_text/* duration */.p0)(ending.durationMs),
        `[run](${runUrl})`,
    ];
    // The result shows what people asked for; a dry run, what would have been sent.
    const shown = ending.reason === 'dry-run' ? ending.prompt : ending.instruction;
    const head = `**${telling.sign} ${telling.said}**${telling.rest}.`;
    return `${head}\n${telling.next}\n\n${foldedPrompt(shown)}<sub>${facts.filter(Boolean).join(' · ')}</sub>`;
}
const PROMPT_OPEN = '<details><summary>Prompt</summary>\n\n';
const PROMPT_CLOSE = '\n\n</details>\n\n';
/** GitHub takes 65,536 characters; the rest is room for the words, a link of any length and the marker. */
const MAX_PROMPT = 55_000;
/** The fence around the prompt is longer than any run of back-ticks in it, so that is bounded, too. */
const LONG_RUN = /`{50,}/g;
function foldedPrompt(prompt) {
    if (prompt === '')
        return '';
    const plain = prompt.replace(LONG_RUN, '`'.repeat(50));
    const shown = plain.length > MAX_PROMPT ? `${plain.slice(0, MAX_PROMPT).toWellFormed()}\n[cut]` : plain;
    return `${PROMPT_OPEN}${(0,core_text/* fence */.EU)(shown)}${PROMPT_CLOSE}`;
}
/** The prompt that a comment of ours folds, so that a later report of the same job can show it again. */
function promptOf(body) {
    const start = body.indexOf(PROMPT_OPEN);
    const end = body.lastIndexOf(PROMPT_CLOSE);
    if (start < 0 || end < start)
        return '';
    const [, text] = /^(`{3,})text\n([\s\S]*)\n\1$/.exec(body.slice(start + PROMPT_OPEN.length, end))?.slice(1) ?? [];
    return text ?? '';
}

;// CONCATENATED MODULE: ./src/thread/comments.ts



/** Retries of a comment whose making failed for no reason of ours (contract 5.7). */
const CREATE_RETRIES = 3;
function commentsOf(github, repository, issue_number) {
    const repo = repositoryParts(repository);
    const one = (comment_id) => ({ ...repo, comment_id });
    const list = async (since) => {
        const comments = await github.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...repo,
            issue_number,
            per_page: 100,
            ...(since === undefined ? {} : { since }),
        });
        return comments.map((comment) => comments_narrow(comment));
    };
    const post = async (body) => {
        const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
        return comments_narrow((await github.request(route, { ...repo, issue_number, body })).data);
    };
    return {
        list,
        async create(body) {
            for (let tries = 1;; tries++) {
                try {
                    return await post(body);
                }
                catch (error) {
                    if (tries > CREATE_RETRIES || (statusOf(error) > 0 && statusOf(error) < 500))
                        throw error;
                    // The comment may be there all the same. Its marker makes its text the only one of its kind.
                    const made = (await list()).find((comment) => comment.body.trim() === body.trim());
                    if (made !== undefined)
                        return made;
                }
            }
        },
        async update(id, body) {
            const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
            return comments_narrow((await github.request(route, { ...one(id), body })).data);
        },
        async remove(id) {
            const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}';
            await github.request(route, one(id)).catch((error) => {
                if (statusOf(error) !== 404)
                    throw error;
            });
        },
    };
}
/** @throws {TypeError} when what GitHub sent is no comment */
function comments_narrow(value) {
    const comment = object(value);
    const commentId = id(comment.id);
    if (commentId === undefined)
        throw new TypeError('GitHub answered with something that is no comment');
    // GitHub may hand a body back with other line ends than it was sent.
    return { id: commentId, body: json_text(comment.body).replaceAll('\r\n', '\n'), url: json_text(comment.html_url) };
}

;// CONCATENATED MODULE: ./src/thread/memory.ts

function remember(comments, scope, key) {
    // A copy of a marker is as new as the original, and always posted later: the older comment counts.
    const all = comments
        .flatMap((comment) => {
        const marker = readMarker(comment.body, scope);
        return marker === undefined ? [] : [{ comment, marker }];
    })
        .sort((a, b) => b.marker.at - a.marker.at || a.comment.id - b.comment.id);
    const ownComments = all.filter(({ marker }) => marker.key === key && meaningOf(marker.state).ofRequest);
    return {
        own: ownComments[0],
        ownComments,
        job: all.find(({ marker }) => marker.job !== ''),
        refusal: all.find(({ marker }) => marker.state === 'refusal'),
        prLinks: new Set(all.map(({ marker }) => marker.pr)),
        newest: all[0]?.marker.at ?? 0,
    };
}
/** What a run without a thread remembers. */
const NOTHING = {
    own: undefined,
    ownComments: [],
    job: undefined,
    refusal: undefined,
    prLinks: new Set(),
    newest: 0,
};

;// CONCATENATED MODULE: ./src/thread/pointer.ts




/**
 * Leaves one short comment on the job's own pull request, so that a command there continues the same job (contract
 * 5.5). Nothing happens where the pull request is elsewhere, is the thread itself, or has heard of the job already.
 */
async function pointTo(deps, pull, from) {
    const { scope, marker, command } = from;
    const sameRepository = `${pull.owner}/${pull.repo}`.toLowerCase() === scope.repository.toLowerCase();
    if (!sameRepository || pull.number === scope.thread)
        return;
    const there = { ...scope, thread: pull.number };
    const comments = commentsOf(deps.github, scope.repository, pull.number);
    await deps.attempt('comment on the pull request', 'pull-requests: write', async () => {
        const known = remember(await comments.list(), there, marker.key);
        if (known.job?.marker.job === marker.job)
            return;
        const at = Math.max(deps.now(), known.newest + 1);
        const words = pointer(`${scope.repository}#${scope.thread}`, command);
        await comments.create(`${words}\n\n${writeMarker({ ...marker, state: 'pointer', at }, there)}`);
    });
}

;// CONCATENATED MODULE: ./src/core/outcome.ts
/** How a run can end. The order is that of the README's table. */
const OUTCOMES = (/* unused pure expression or super */ null && ([
    'pull-request',
    'no-pull-request',
    'archived',
    'failed',
    'timed-out',
    'cancelled',
    'started',
    'skipped',
    'error',
]));
/** Why nothing was asked of the agent. Always green. */
const SKIP_REASONS = (/* unused pure expression or super */ null && ([
    'not-a-command',
    'not-a-new-comment',
    'bot',
    'agent-pull-request',
    'permission-denied',
    'missing-secret',
    'pull-request-open',
    'job-active',
    'dry-run',
    'help',
    'status',
]));
/** What went wrong. Always red. */
const ERROR_REASONS = (/* unused pure expression or super */ null && ([
    'bad-input',
    'unauthorized',
    'forbidden',
    'payment-required',
    'job-not-found',
    'rejected',
    'rate-limited',
    'service-unavailable',
    'network',
    'creation-uncertain',
    'bad-response',
    'internal',
]));
/** Whether the step ends red. */
function isRed(outcome, onTimeout = 'fail') {
    return RED.has(outcome) || (outcome === 'timed-out' && onTimeout === 'fail');
}
const RED = new Set(['failed', 'error', 'cancelled']);

;// CONCATENATED MODULE: ./src/thread/reactions.ts




/** The reaction that tells the ending, or undefined while the job goes on unwatched. */
function reactionOf(ending) {
    const { outcome, reason } = ending;
    if (outcome === 'started')
        return undefined;
    if (outcome === 'pull-request')
        return 'rocket';
    return isRed(outcome) || reason === 'permission-denied' ? 'confused' : '+1';
}
/** The same for an ending that only its marker still knows. */
function reactionOfMarker({ state, status, pr }) {
    if (state !== 'reported')
        return state === 'answer' ? '+1' : 'confused';
    if (status !== 'completed' && status !== 'archived')
        return 'confused';
    return pr === '' || status === 'archived' ? '+1' : 'rocket';
}
/** @param ref the comment that asked, as markers write it: `issue:123` or `review:123`; '' for none */
function openReactions({ github, attempt }, repository, ref) {
    const comment = parseCommentRef(ref);
    if (comment === undefined)
        return noReactions;
    const permission = comment.kind === 'review' ? 'pull-requests: write' : 'issues: write';
    const path = PATHS[comment.kind];
    const parameters = { ...repositoryParts(repository), comment_id: comment.id };
    let eyes = 0;
    let mayHaveEyes = false;
    let left;
    /** GitHub answers with the reaction that is there if this token has added it before. */
    const add = async (content) => Number((await github.request(`POST ${path}`, { ...parameters, content })).data.id);
    /** @returns whether it was there */
    const remove = async (reaction_id) => {
        try {
            await github.request(`DELETE ${path}/{reaction_id}`, { ...parameters, reaction_id });
            return true;
        }
        catch (error) {
            if (statusOf(error) === 404)
                return false;
            throw error;
        }
    };
    /**
     * Where the id is not known, or no longer right, it is asked for by adding the reaction once more: that changes
     * nothing and, unlike reading the list, cannot meet the same reaction of somebody else.
     */
    const takeBack = (content, known = 0) => attempt('take a reaction back', permission, async () => {
        if (known === 0 || !(await remove(known)))
            await remove(await add(content));
    });
    return {
        eyes: () => eyes,
        async acknowledge() {
            mayHaveEyes = true;
            eyes = (await attempt('react to the comment', permission, () => add('eyes'))) ?? eyes;
        },
        expect(marker) {
            mayHaveEyes = true;
            if (marker === undefined)
                return;
            eyes ||= marker.eyes;
            left = meaningOf(marker.state).told ? reactionOfMarker(marker) : undefined;
        },
        async retract() {
            if (left !== undefined)
                await takeBack(left);
            left = undefined;
        },
        async conclude(content) {
            if (content === undefined)
                return;
            if (mayHaveEyes)
                await takeBack('eyes', eyes);
            if (left !== undefined && left !== content)
                await takeBack(left);
            await attempt('react to the comment', permission, () => add(content));
        },
    };
}
/** For requests without a comment, and for reviews, which GitHub gives no reactions. */
const noReactions = {
    eyes: () => 0,
    acknowledge: async () => { },
    expect: () => { },
    retract: async () => { },
    conclude: async () => { },
};
/** Issue comments and review comments have their own endpoints. */
const PATHS = {
    issue: '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    review: '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
};
function parseCommentRef(ref) {
    const [, kind, id] = /^(issue|review):([1-9]\d{0,15})$/.exec(ref) ?? [];
    return kind === 'issue' || kind === 'review' ? { kind, id: Number(id) } : undefined;
}

;// CONCATENATED MODULE: ./src/thread/report.ts




/**
 * Reports an ending where it was asked for: the result comment, the reaction, and the way back on the job's own pull
 * request. The same for a run that waited and for a sweep that came later.
 * @param known what the thread remembers, if it has just been read
 * @returns the URL of the comment that carries the result, '' if there is none
 */
async function reportEnding(desk, ending, kept, setting, known) {
    const { job } = ending;
    const news = {
        state: stateOf(ending),
        job: job?.id ?? kept.targetJob,
        status: job?.status ?? '',
        pr: job?.prLink ?? '',
        messaged: kept.messagedAt,
    };
    const url = await desk.thread.report(news, resultComment(ending, setting, desk.runUrl), known);
    await desk.thread.reactions.conclude(reactionOf(ending));
    await point(desk, ending, setting.command);
    return url;
}
/** The way back to the job, on its own pull request (contract 5.5). */
async function point(desk, { job }, command) {
    const { scope, request, mode } = desk;
    const pull = pullRequestOf(job?.prLink ?? '', desk.serverUrl);
    if (scope === undefined || job === undefined || pull === undefined || mode === 'off')
        return;
    const marker = {
        ...request,
        job: job.id,
        status: job.status,
        pr: job.prLink,
        until: 0,
        messaged: 0,
        eyes: 0,
    };
    await pointTo(desk, pull, { scope, marker, command });
}
/** What the thread must remember of the ending: whether a re-run or a sweep still has something to do (5.2, 8.1). */
function stateOf({ outcome, reason, job }) {
    if (outcome === 'started')
        return 'open';
    if (reason === 'creation-uncertain')
        return 'uncertain';
    if (reason === 'job-not-found' && job !== undefined)
        return 'reported';
    if (outcome === 'cancelled' || outcome === 'error' || outcome === 'timed-out') {
        return job === undefined ? 'unsent' : 'parted';
    }
    return 'reported';
}

;// CONCATENATED MODULE: ./src/thread/thread.ts





const COMMENTING = 'issues: write';
/** States in which the run says something in its status comment, and the result is still to come. */
const IN_PLACE = new Set(['open', 'parted']);
function openThread({ github, attempt, now }, options) {
    const { scope, mode, request } = options;
    const comments = commentsOf(github, scope.repository, scope.thread);
    const reactions = openReactions({ github, attempt }, scope.repository, request.comment);
    /** The comment that `note` edits; 0 while there is none. */
    let statusId = 0;
    let newest = 0;
    const read = async () => {
        const all = await attempt('read the comments of the thread', COMMENTING, () => comments.list(options.since));
        if (all === undefined)
            return undefined;
        const memory = remember(all, scope, request.key);
        newest = Math.max(newest, memory.newest);
        return memory;
    };
    const write = async (doing, id, news, words) => {
        await reactions.retract();
        newest = Math.max(now(), newest + 1);
        const eyes = reactions.eyes();
        const marker = {
            job: '',
            status: '',
            pr: '',
            until: 0,
            messaged: 0,
            ...request,
            ...news,
            eyes,
            at: newest,
        };
        const body = `${words}\n\n${writeMarker(marker, scope)}`;
        return await attempt(doing, COMMENTING, () => put(comments, id, body));
    };
    const tidy = async (own, except) => {
        for (const { comment } of own.filter((other) => other.comment.id !== except)) {
            await attempt('delete the status comment', COMMENTING, () => comments.remove(comment.id));
        }
    };
    return {
        reactions,
        tidy,
        async recall() {
            const memory = await read();
            statusId = memory?.own?.comment.id ?? 0;
            const refusal = memory?.refusal?.marker.key === request.key ? memory.refusal : undefined;
            const earlier = memory?.own ?? refusal;
            if (earlier !== undefined)
                reactions.expect(earlier.marker);
            return memory;
        },
        async note(news, words) {
            if (mode === 'off')
                return;
            statusId = (await write('write the status comment', statusId, news, words))?.id ?? statusId;
        },
        async report(news, words, known) {
            if (mode === 'off')
                return '';
            const inPlace = IN_PLACE.has(news.state) && statusId !== 0;
            const memory = inPlace && known === undefined ? undefined : (known ?? (await read()));
            const own = memory?.ownComments ?? [];
            const told = own.find(({ marker }) => marker.state === 'reported');
            if (told !== undefined) {
                await tidy(own, told.comment.id);
                return told.comment.url;
            }
            const target = inPlace || mode === 'update' ? (memory?.own?.comment.id ?? statusId) : 0;
            const written = await write('write the result', target, news, words);
            if (written === undefined)
                return '';
            await tidy(own, written.id);
            if (memory === undefined && statusId !== 0 && statusId !== written.id) {
                await attempt('delete the status comment', COMMENTING, () => comments.remove(statusId));
            }
            statusId = written.id;
            return written.url;
        },
        async refuse(words) {
            if (mode === 'off')
                return '';
            const refusal = (await read())?.refusal;
            return ((await write('write the comment', refusal?.comment.id ?? 0, { state: 'refusal' }, words))?.url ?? '');
        },
    };
}
/** Edits the comment, or makes a new one where there is none, or none any more. */
async function put(comments, id, body) {
    if (id === 0)
        return await comments.create(body);
    return await comments.update(id, body).catch((error) => {
        if (statusOf(error) === 404)
            return comments.create(body);
        throw error;
    });
}
/** For runs that have no thread: says nothing, remembers nothing. */
const noThread = {
    reactions: noReactions,
    recall: async () => NOTHING,
    note: async () => { },
    report: async () => '',
    tidy: async () => { },
    refuse: async () => '',
};

;// CONCATENATED MODULE: ./src/core/ending.ts
/** The outcome of a job that has ended. */
function outcomeOf(job) {
    if (job.status === 'failed')
        return 'failed';
    if (job.status === 'archived')
        return 'archived';
    return job.prLink === '' ? 'no-pull-request' : 'pull-request';
}

;// CONCATENATED MODULE: ./src/http/explain.ts


const ASKED = {
    create: 'start a job',
    message: 'send the job a message',
    read: 'read the job',
    visitors: 'read the visitors',
};
/** What people can do about it, a sentence for each reason. */
const explain_REMEDIES = {
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
    return REMEDIES_OF[call]?.[reason] ?? explain_REMEDIES[reason] ?? '';
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

;// CONCATENATED MODULE: ./src/collect/collected.ts




/** After a message, a terminal status younger than this may be the last turn's (contract 4.8 at its default pause). */
const SETTLED_MS = 30_000;
/**
 * Reads a job once, without a second try: what fails is left to the next sweep.
 * @throws {ServiceError} unless the answer is a job or a 404
 */
async function readOnce(client, jobId, signal) {
    const answer = await client.read(jobId, undefined, signal);
    if ('job' in answer)
        return answer.job;
    const error = new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId));
    if (error.reason === 'job-not-found')
        return 'gone';
    throw error;
}
/** Whether the job has ended this request, and not only the one before it (contract 4.8). */
function hasEnded(job, { messaged, status }, now) {
    const turnBegan = messaged === 0 || status === 'active';
    return isTerminal(job.status) && (turnBegan || now - messaged >= SETTLED_MS);
}
/** The ending as the run would have told it that did not wait for it. */
function endingOf(marker, reading, instruction, now) {
    const common = {
        note: '',
        jobAction: marker.messaged === 0 ? 'created' : 'continued',
        followUp: marker.messaged > 0,
        asker: marker.asker,
        instruction,
        prompt: '',
        durationMs: now - (marker.from || now),
    };
    if (reading !== 'gone') {
        return { ...common, outcome: outcomeOf(reading), reason: '', message: '', job: reading };
    }
    const message = 'The service no longer knows it. Look at the dashboard, or reply `/docs new …` to start again.';
    return { ...common, outcome: 'error', reason: 'job-not-found', message, job: knownJob(marker) };
}

;// CONCATENATED MODULE: ./src/collect/sweep.ts








function ofKind(collected, kind) {
    return collected.filter((one) => one.kind === kind);
}
/** Jobs read at a time (contract 8.1), and threads written to at a time. */
const AT_A_TIME = 8;
/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. Within a thread they are
 * reported in the order in which they were asked, so that the last one is the one to continue.
 */
async function sweep(all, requests) {
    const { deps, inputs } = all;
    const client = agentClient(deps, inputs.access);
    const [reads, reports] = [pLimit(AT_A_TIME), pLimit(AT_A_TIME)];
    const { requested } = deps.cancellation;
    const readings = new Map([...new Set(requests.map(({ marker }) => marker.job))].map((jobId) => {
        const reading = reads(() => readOnce(client, jobId, requested));
        return [jobId, reading.catch((error) => ({ error }))];
    }));
    const sharing = { ...all, attempt: forgiving(deps.runner) };
    const threads = Map.groupBy(requests, ({ thread }) => thread).values();
    const collected = [...threads].map((inThread) => reports(async () => {
        const done = [];
        for (const request of inThread) {
            const reading = await readings.get(request.marker.job);
            done.push(await collect(sharing, request, reading));
        }
        return done;
    }));
    return (await Promise.all(collected)).flat();
}
/** One job's trouble does not stop the others (contract 8.3). */
async function collect(all, request, reading) {
    if (reading === undefined || (reading !== 'gone' && 'error' in reading)) {
        return { kind: 'failed', request, error: reading?.error };
    }
    if (reading !== 'gone' && !hasEnded(reading, request.marker, all.deps.now())) {
        return { kind: 'active', request, job: reading };
    }
    return await report(all, request, reading).catch((error) => ({ kind: 'failed', request, error }));
}
async function report(all, request, reading) {
    const { deps, inputs, environment, github, attempt } = all;
    const { thread: number, marker, touched } = request;
    const { key, run, from, asker, comment } = marker;
    const asked = { key, run, from, asker, comment };
    const scope = { ...all.everywhere, thread: number };
    const mode = inputs.comment;
    // What matters to the request is no older; a busy thread has pages of what is.
    const since = new Date(touched).toISOString();
    const thread = openThread({ github, attempt, now: deps.now }, { scope, mode, request: asked, since });
    // Right before reporting, the marker is read again (contract 8.2): somebody may have been faster.
    const memory = await thread.recall();
    if (memory === undefined)
        throw new Error(`The thread #${number} could not be read.`);
    const { own } = memory;
    if (own?.marker.at !== marker.at)
        return { kind: 'left', request };
    const ending = endingOf(marker, reading, promptOf(own.comment.body), deps.now());
    const desk = {
        thread,
        scope,
        request: asked,
        mode,
        github,
        attempt,
        serverUrl: environment.serverUrl,
        runUrl: (0,runner_environment/* runUrlOf */.Qm)(environment, marker.run),
        now: deps.now,
    };
    const kept = { targetJob: marker.job, messagedAt: marker.messaged };
    const url = await reportEnding(desk, ending, kept, SETTING, memory);
    if (url === '' && mode !== 'off')
        throw new Error(`The result could not be written in #${number}.`);
    return { kind: 'finished', request, ending };
}
/** What an ending's words may need beyond it; none of those that a sweep reports asks for time or permission. */
const SETTING = { command: '/docs', timeoutMs: 0, needs: 'write' };

;// CONCATENATED MODULE: ./src/collect/summary.ts




/** Rows of a table. GitHub drops a summary of more than 1 MiB. */
const MOST_ROWS = 500;
/** The step summary: the counts, what ended and how, and what is still open and since when. */
function collectSummary(collected, now) {
    const sections = [
        `## 📥 ${collectSentence(collected)}`,
        table(['Thread', 'Job', 'Outcome', 'Pull request'], ofKind(collected, 'finished').map(({ request, ending }) => [
            `#${request.thread}`,
            (0,core_text/* code */.aY)(request.marker.job),
            ending.outcome,
            ending.job?.prLink ? words_link(ending.job.prLink) : '',
        ])),
        table(['Still open in', 'Job', 'Status', 'Asked', 'For'], ofKind(collected, 'active').map(({ request, job }) => [
            `#${request.thread}`,
            (0,core_text/* code */.aY)(job.id),
            (0,core_text/* code */.aY)(job.status),
            new Date(request.marker.from).toISOString().replace(/T(..:..).*/, ' $1 UTC'),
            (0,core_text/* duration */.p0)(now - request.marker.from),
        ])),
        table(['Not reported in', 'Job', 'Why'], ofKind(collected, 'failed').map(({ request, error }) => [
            `#${request.thread}`,
            (0,core_text/* code */.aY)(request.marker.job),
            (0,core_text/* code */.aY)((0,core_text/* plainText */.wh)((0,core_text/* oneLine */.TN)((0,errors/* messageOf */.bD)(error)))),
        ])),
    ];
    return `${sections.filter(Boolean).join('\n\n')}\n`;
}
/** The same sentence for log and summary. */
function collectSentence(collected) {
    const [finished, active, failed] = ['finished', 'active', 'failed'].map((kind) => ofKind(collected, kind).length);
    const failures = failed === 0 ? '' : `, ${failed} could not be read or reported`;
    return `${(0,core_text/* count */.U9)(finished ?? 0, 'job')} reported, ${active} still at work${failures}`;
}
function table(head, rows) {
    if (rows.length === 0)
        return '';
    const line = (cells) => `| ${cells.join(' | ')} |`;
    const shown = [line(head), line(head.map(() => '---')), ...rows.slice(0, MOST_ROWS).map(line)].join('\n');
    return rows.length > MOST_ROWS ? `${shown}\n\n… and ${rows.length - MOST_ROWS} more.` : shown;
}

;// CONCATENATED MODULE: ./src/collect/report.ts





/** Tells what the sweep came to: log, annotations, outputs and summary (contract 8.3). */
function report_report({ runner, log, now }, collected) {
    const finished = ofKind(collected, 'finished');
    for (const one of collected)
        log(`  ${lineOf(one)}`);
    log(collectSentence(collected));
    for (const { request, ending } of finished) {
        if (ending.job?.unusableLink !== true)
            continue;
        const job = `job ${request.marker.job} of #${request.thread}`;
        runner.annotate('warning', `The service sent an unusable link for ${job}: look at it in the dashboard.`);
    }
    const [failure, ...more] = ofKind(collected, 'failed');
    if (failure !== undefined) {
        const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
        runner.annotate('warning', `${lineOf(failure)}${others} The next sweep tries again.`);
    }
    runner.output('finished', String(finished.length));
    runner.output('active', String(ofKind(collected, 'active').length));
    runner.output('failed', String(ofKind(collected, 'failed').length));
    const result = finished.map(({ request, ending }) => ({
        'job-id': request.marker.job,
        thread: request.thread,
        outcome: ending.outcome,
        'pr-link': ending.job?.prLink ?? '',
    }));
    runner.output('result', JSON.stringify(result));
    runner.summary(collectSummary(collected, now()));
}
function lineOf(one) {
    const { thread, marker } = one.request;
    return `#${thread}  ${marker.job}  ${newsOf(one)}`;
}
function newsOf(one) {
    switch (one.kind) {
        case 'finished':
            return `${one.ending.outcome}  ${one.ending.job?.prLink ?? ''}`.trim();
        case 'active':
            return one.job.status;
        case 'left':
            return 'taken up by another run meanwhile';
        case 'failed':
            return (0,core_text/* plainText */.wh)((0,core_text/* oneLine */.TN)((0,errors/* messageOf */.bD)(one.error)));
    }
}
/** One job's trouble is its own; when every read failed, the service cannot be used, and the first one tells why. */
function serviceTrouble(collected) {
    const errors = ofKind(collected, 'failed').map(({ error }) => error);
    const [first] = errors;
    const all = errors.length === collected.length && errors.every((error) => error instanceof ServiceError);
    return all && first instanceof ServiceError ? first : undefined;
}

;// CONCATENATED MODULE: ./src/collect/run.ts












/** One sweep over the repository's threads. Never throws. @returns whether the step ends red */
async function run_collect(deps, raw, environment) {
    const { runner } = deps;
    try {
        await story(deps, raw, environment);
        return false;
    }
    catch (error) {
        runner.annotate('error', (0,core_text/* plainText */.wh)(error instanceof errors/* ActionError */.lZ ? error.message : (0,errors/* unknownFault */.$s)(runner, error)));
        return true;
    }
}
async function story(deps, raw, environment) {
    maskSecrets(raw, deps.runner);
    const inputs = readCollectInputs(raw);
    const { access, githubToken: token, sinceMs } = inputs;
    if (access.apiKey === '' && secretsAreWithheld(await readTrigger(environment), environment.actor)) {
        deps.runner.annotate('warning', WITHHELD);
        return report_report(deps, []);
    }
    requireKey(access);
    const { repository, apiUrl } = environment;
    deps.log(`Docs agent ${VERSION} · collect in ${repository}, the last ${(0,core_text/* duration */.p0)(sinceMs)}`);
    const github = githubClient(deps, { apiUrl, token });
    const everywhere = { apiKey: access.apiKey, projectId: access.projectId, repository };
    const now = deps.now();
    const requests = await openRequests(github, everywhere, now - sinceMs, now).catch((cause) => {
        const sentence = explainGitHub(cause, 'read the comments of the repository', 'issues: write');
        throw new errors/* ActionError */.lZ('internal', sentence, { cause });
    });
    const collected = await sweep({ deps, inputs, environment, everywhere, github }, requests);
    report_report(deps, collected);
    const trouble = serviceTrouble(collected);
    if (trouble !== undefined)
        throw trouble;
}
/** As the root action does (contract 1.3): a workflow that collects when a pull request opens meets forks, too. */
const WITHHELD = 'GitHub withholds secrets from this run, so there is no api-key and nothing was collected. That is so for pull requests from forks and for Dependabot: the next sweep collects.';


/***/ }),

/***/ 4296:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $s: () => (/* binding */ unknownFault),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   kp: () => (/* binding */ BadInput),
/* harmony export */   lZ: () => (/* binding */ ActionError)
/* harmony export */ });
/* unused harmony export Cancelled */
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
class Cancelled extends (/* unused pure expression or super */ null && (Error)) {
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
/* harmony export */   TN: () => (/* binding */ oneLine),
/* harmony export */   U9: () => (/* binding */ count),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   p0: () => (/* binding */ duration),
/* harmony export */   wh: () => (/* binding */ plainText)
/* harmony export */ });
/* unused harmony exports cut, clock */
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
/* harmony export */   Po: () => (/* binding */ numberIn),
/* harmony export */   Yq: () => (/* binding */ choice),
/* harmony export */   me: () => (/* binding */ rawInputs),
/* harmony export */   mw: () => (/* binding */ required)
/* harmony export */ });
/* unused harmony exports flag, optionalNumberIn */
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

/***/ 5047:
/***/ ((__unused_webpack_module, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Qm: () => (/* binding */ runUrlOf),
/* harmony export */   p7: () => (/* binding */ environmentOf)
/* harmony export */ });
/* unused harmony export runName */
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


/***/ }),

/***/ 767:
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
// EXTERNAL MODULE: ./src/runner/environment.ts
var environment = __nccwpck_require__(5047);
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

;// CONCATENATED MODULE: ./src/core/cancellation.ts

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
        throw requested.aborted ? new Cancelled('the run was told to stop', { cause: error }) : error;
    });
}

;// CONCATENATED MODULE: ./src/runner/signals.ts


/** Cancels on the first SIGINT or SIGTERM; the second, which the runner sends 7.5 s later, finds all said. */
function cancellationOnSignals() {
    const canceller = cancellation((ms) => (0,promises_namespaceObject.setTimeout)(ms, undefined, { ref: false }));
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
    return { deps, raw: (0,read/* rawInputs */.me)(env), environment: (0,environment/* environmentOf */.p7)(env) };
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
/******/ var __webpack_exports__ = __nccwpck_require__(174);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
