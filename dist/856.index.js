export const id = 856;
export const ids = [856];
export const modules = {

/***/ 7856:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fetchThroughProxy: () => (/* binding */ fetchThroughProxy)
/* harmony export */ });
/* harmony import */ var undici_lib_dispatcher_dispatcher1_wrapper_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3650);
/* harmony import */ var undici_lib_dispatcher_dispatcher1_wrapper_js__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(undici_lib_dispatcher_dispatcher1_wrapper_js__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3137);
/* harmony import */ var undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_1__);
/// <reference path="./undici-parts.d.ts" />


/**
 * Node's own `fetch`, sent through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Two parts of undici
 * instead of all of it: half the bundle, and one `fetch` with the same errors whether there is a proxy or not. The
 * wrapper lets an agent of undici 8 serve the `fetch` of Node's built-in undici 7.
 */
function fetchThroughProxy(fetch) {
    const dispatcher = new (undici_lib_dispatcher_dispatcher1_wrapper_js__WEBPACK_IMPORTED_MODULE_0___default())(new (undici_lib_dispatcher_env_http_proxy_agent_js__WEBPACK_IMPORTED_MODULE_1___default())());
    return (input, init) => fetch(input, { ...init, dispatcher });
}


/***/ })

};
