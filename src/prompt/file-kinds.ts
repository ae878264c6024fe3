/** Files that a program writes: their changes say nothing that the code beside them does not say. Not `build/`, `out/` or `gen/`, which people write by hand in places. */
const GENERATED = anyOf(
  // Lock files
  String.raw`\.lock(?:\.\w+)?$|[.-]lock\.(?:json|ya?ml)$|\.lockfile$|/npm-shrinkwrap\.json$|/go\.sum$`,
  // Snapshots and recordings
  String.raw`\.(?:snap|ambr)$|/__snapshots__/|/cassettes/`,
  // Bundles, and code of others
  String.raw`\.min\.(?:js|css)$|\.map$|/(?:dist|vendor|third[_-]?party|node_modules)/`,
  // Code from a schema
  String.raw`/(?:generated|__generated__)/|\.pb\.|_pb2(?:_grpc)?\.pyi?$|[._](?:gen|generated)\.|/zz_generated`,
  // Pictures, data and translations
  String.raw`\.(?:svg|csv|po)$`,
)

const TEST = anyOf(
  `/(?:tests?|__tests__|specs?|testing|testdata|fixtures|e2e)/`,
  String.raw`[._-](?:test|tests|spec)\.\w+$|/test_[^/]*$|tests?\.(?:java|kt|cs|swift|scala)$`,
)

function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}

/** @param path in the repository */
export const isGenerated = (path: string): boolean => GENERATED.test(`/${path}`)

/** @param path in the repository */
export const isTest = (path: string): boolean => TEST.test(`/${path}`)
