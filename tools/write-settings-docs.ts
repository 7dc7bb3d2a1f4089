import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { report } from './problem.ts'
import { serviceSettings } from './service-settings.ts'
import { settingsTables } from './settings-page.ts'

// `node tools/write-settings-docs.ts [--check] [FILE]`: writes docs/settings.md, or with --check compares it.
const root = path.dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const file = path.resolve(positionals[0] ?? path.join(root, 'docs/settings.md'))

const introduction = `# Settings

Each service takes a setting from its flag, else from the environment variable, else the default. An empty variable is
treated as unset. \`<VARIABLE>_FILE\` names a file that contains the value. A secret has no flag; the tables list its \`_FILE\`
form, and the variable without that ending works too. A service does not start with an invalid value; the message names
the flag or variable.

\`node services/<service>/src/main.ts --help\` prints the settings of one service. \`wadi up\` passes all \`WADI_…\` variables to its
services except \`WADI_LISTEN\` and \`WADI_DATA_DIR\`, for which it has flags. The settings for all hydrated branches are in the
ConfigMap \`argocd-cm\`: see [reference/argocd-cm.md](reference/argocd-cm.md).

\`WADI_NAMESPACE\`, for which there is no flag, is the namespace of Wadi's own objects and of Applications that name none:
\`argocd\` by default. \`WADI_CREDENTIALS_NAMESPACE\` is that of the Secrets that services share: repositories to read, clusters, and tokens for
ApplicationSets; the same by default. Both are the same for all services of an installation.

\`tools/write-settings-docs.ts\` writes this page from the services' \`settings.ts\`.
`

const document = `${introduction}\n${settingsTables(serviceSettings)}`

if (values.check) {
  const written = await readFile(file, 'utf8').catch(() => undefined)
  const message = "not what the settings of the services give; run 'node tools/write-settings-docs.ts'"
  const problems =
    written === document ? [] : [{ file: path.relative(root, file), line: firstDifference(written), message }]
  report(problems, `${path.relative(root, file)} is up to date`)
} else {
  await writeFile(file, document)
}

function firstDifference(written = ''): number {
  const lines = written.split('\n')
  return document.split('\n').findIndex((line, index) => line !== lines[index]) + 1
}
