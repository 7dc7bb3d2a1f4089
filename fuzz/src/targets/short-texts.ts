import { goDurationSeconds } from '@wadi/api-gateway/accounts/go-duration.ts'
import { readOidcConfig } from '@wadi/api-gateway/oidc/oidc-config.ts'
import { readJqPath } from '@wadi/application-sets/ignored/jq-path.ts'
import { renderFastTemplate } from '@wadi/application-sets/templates/fast-template.ts'
import { chartVersions } from '@wadi/charts/helm-index.ts'
import { CommandFailure } from '@wadi/cli/command-line/command-failure.ts'
import { parseContextFile } from '@wadi/cli/connection/context-file-content.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { BatchParser } from '@wadi/git/objects/batch-parser.ts'
import { parseMailAddress } from '@wadi/git/commit/mail-address.ts'
import { parseVersionRange } from '@wadi/git/mirror/version-range.ts'
import { readChartLocation } from '@wadi/git/remote/chart-location.ts'
import { normalizeRepositoryUrl, repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { parseRepositoryUrl, redactUrl } from '@wadi/git/remote/repository-url.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import { assertTreePath } from '@wadi/git/objects/tree-path.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { setImages } from '@wadi/engines/kustomize/kustomize-image.ts'
import { parseSetName } from '@wadi/params/values/set-name.ts'
import { PathError } from '@wadi/supply-chains/paths/path-error.ts'
import { readPath } from '@wadi/supply-chains/paths/path-steps.ts'
import { type Base, type Target, textBase } from '../target.ts'

function bases(...texts: readonly string[]): Base[] {
  return texts.map((text) => textBase(text.slice(0, 30), text))
}

const record = JSON.stringify({
  drySha: '1'.repeat(40),
  repoURL: 'https://git.example.com/deploy.git',
  commands: ['helm template .'],
  applications: ['argocd/web'],
  files: ['a/b.txt'],
  tools: [{ name: 'helm', version: 'v4.1.4' }],
})

const contexts = `current-context: local
contexts:
- {name: local, server: local, user: local}
servers:
- {server: 'http://127.0.0.1:8080', grpc-web: true}
users:
- {name: local, auth-token: abc}
`

const oidc = `name: SSO
issuer: https://login.example.com
clientID: wadi
clientSecret: $oidc.clientSecret
requestedScopes: [openid, profile]
requestedIDTokenClaims: {groups: {essential: true}}
`

/** Readers of single values: URLs, paths, names, expressions, records. */
export const shortTextTargets: readonly Target[] = [
  {
    name: 'repository-urls',
    bases: bases(
      'https://you@git.example.com:8443/team/deploy.git',
      'git@git.example.com:team/deploy.git',
      'ssh://git@[2001:db8::1]:22/~you/deploy',
      'file:///srv/git/deploy.git',
    ),
    read(input) {
      const text = input.toString()
      redactUrl(text)
      normalizeRepositoryUrl(text)
      repositoryIdentity(text)
      parseRepositoryUrl(text, { allowFile: true, allowPlainHttp: 'loopback' })
    },
  },
  {
    name: 'chart-addresses-and-ranges',
    bases: bases(
      'oci://registry.example.com/team/charts',
      'https://charts.example.com',
      '>=1.2, !=1.3 || ^2-0',
    ),
    read(input) {
      const text = input.toString()
      parseVersionRange(text)
      for (const [url, chart] of [
        [text, 'web'],
        ['https://charts.example.com', text],
      ] as const) {
        rejectsOnly(() => readChartLocation(url, chart, { allowFile: false, allowPlainHttp: 'loopback' }))
      }
    },
  },
  {
    name: 'chart-indexes',
    bases: bases(
      'entries:\n  web:\n  - {version: 1.0.0, created: "2026-01-02T03:04:05Z", urls: [web-1.0.0.tgz]}\n',
      '{"entries":{"web":[{"version":"1.0.0","digest":"sha256:aa","urls":["https://x/web.tgz"]}]}}',
    ),
    read: (input) => chartVersions(input.toString(), 'web', 'index.yaml'),
  },
  {
    name: 'branches-and-paths',
    bases: bases('environments/prod', 'apps/web/overlays/prod', './a/../b'),
    read(input) {
      for (const check of [assertBranchName, cleanDestinationPath, assertTreePath]) {
        rejectsOnly(() => check(input.toString()))
      }
    },
  },
  {
    name: 'mail-addresses',
    bases: bases('Ada Lovelace <ada@example.com>', '"A, \\"B\\"" <a.b+c@[127.0.0.1]>', '=?utf-8?q?x?= <a@b>'),
    read: (input) => parseMailAddress(input.toString()),
  },
  {
    name: 'git-objects',
    bases: bases(`${'a'.repeat(40)} blob 5\nhello\n${'b'.repeat(40)} missing\n${'c'.repeat(40)} tree 0\n\n`),
    read(input) {
      const parser = new BatchParser(
        () => true,
        () => undefined,
      )
      for (let start = 0; start < input.length; start += 7) parser.push(input.subarray(start, start + 7))
    },
  },
  {
    name: 'directory-records',
    bases: bases(record),
    read: (input) => readHydratorMetadata(input.toString()),
  },
  {
    name: 'json-paths',
    bases: bases('.spec.params[?(@.name=="a")].value', '{.items[0:2:1]..name}', "$['a.b'][-1]"),
    read: (input) => readPath(input.toString()),
    expects: [PathError],
  },
  {
    name: 'jq-paths',
    bases: bases('.spec.source.helm.parameters[] | select(.name == "x") | .value', '.a["b"][].c'),
    read: (input) => readJqPath(input.toString()),
  },
  {
    name: 'set-names',
    bases: bases('a.b[3].c\\.d', 'x[0][1]'),
    read: (input) => parseSetName(input.toString()),
  },
  {
    name: 'images',
    bases: bases('nginx=registry.example.com:5000/web:1.2@sha256:abc', 'web:1', '*=web'),
    read: (input) => setImages([], [input.toString()]),
  },
  {
    name: 'fast-templates',
    bases: bases('{{name}}-{{ path.basename }}{{values.a}}', '{{{{a}}}}'),
    read: (input) => renderFastTemplate(input.toString(), { name: 'a', 'path.basename': 'b' }),
  },
  {
    name: 'durations',
    bases: bases('1h30m', '-1.5s', '10d'),
    read: (input) => goDurationSeconds(input.toString()),
  },
  { name: 'oidc-config', bases: bases(oidc), read: (input) => readOidcConfig(input.toString()) },
  {
    name: 'context-files',
    bases: bases(contexts),
    read: (input) => parseContextFile(input.toString(), 'config'),
    expects: [CommandFailure],
  },
]

/** Lets the next reader of the same input have its turn. */
function rejectsOnly(check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
  }
}
