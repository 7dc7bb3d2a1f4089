import { commonSettings } from '@wadi/rpc/common-settings.ts'
import type { Setting, SettingsDefinition } from '@wadi/rpc/setting.ts'
import { acceptedForms } from '@wadi/rpc/setting-values.ts'
import { code, prose, table } from './markdown.ts'

/** The settings that most installations change, each with its purpose. */
const first: Readonly<Record<string, string>> = {
  WADI_DATA_DIR: 'Directory on a disk that you back up. The services that share a machine share it.',
  WADI_LISTEN: 'Address of the service, such as `0.0.0.0:8080` for a gateway that others reach.',
  WADI_REDIS_URL: 'Redis, as soon as there are several hydrators or gateways.',
  WADI_ALLOWED_NETWORKS:
    'Networks of your git servers, registries and forges, if they are not on the public internet.',
  WADI_POLL_INTERVAL:
    'Time between two polls of each repository. Longer is enough where webhooks report pushes.',
}

/** The settings that help to find the cause of a fault, or bound what no well-behaved input reaches. */
const forDiagnosis: ReadonlySet<string> = new Set([
  'WADI_REUSE',
  'WADI_RENDERERS',
  'WADI_COMPARE_EVERY',
  'WADI_GIT_HTTP',
  'WADI_REVISION_CACHE_TIME',
  'WADI_COMMAND_GRACE',
  'WADI_MAX_ARCHIVE_SIZE',
  'WADI_MAX_EXTRACTED_SIZE',
  'WADI_MAX_ARCHIVE_ENTRIES',
  'WADI_MAX_OUTPUT_SIZE',
])

const introduction = `# Settings

Each service takes a setting from its flag, else from the environment variable, else the default. An empty variable is
treated as unset. \`<VARIABLE>_FILE\` names a file that contains the value. A secret has no flag; the tables list its \`_FILE\`
form, and the variable without that ending works too. A service does not start with an invalid value; the message names
the flag or variable.

\`node services/<service>/src/main.ts --help\` prints the settings of one service. \`wadi up\` passes all \`WADI_…\` variables to its
services except \`WADI_LISTEN\` and \`WADI_DATA_DIR\`, for which it has flags. The settings for all hydrated branches are in the
ConfigMap [\`argocd-cm\`](reference/argocd-cm.md).

\`WADI_NAMESPACE\`, for which there is no flag, is the namespace of Wadi's own objects and of Applications that name none:
\`argocd\` by default. \`WADI_CREDENTIALS_NAMESPACE\` is that of the Secrets that services share: repositories to read, clusters, and tokens for
ApplicationSets; the same by default. Both are the same for all services of an installation.

\`tools/write-reference.ts\` writes this page from the services' \`settings.ts\`.
`

/** Short names of the types whose accepted form is said once. */
const shortForms: Readonly<Partial<Record<Setting['type'], string>>> = {
  int: 'number',
  duration: 'duration',
  bytes: 'size',
  list: 'list',
  urlList: 'addresses',
}

interface Row {
  readonly setting: Setting
  readonly services: readonly string[]
}

/** Returns the page of settings: the ones to set first, those of each service, and those for diagnosis. */
export function settingsPage(services: Readonly<Record<string, SettingsDefinition>>): string {
  const rows = rowsOf(services)
  const usual = rows.filter(({ setting }) => !forDiagnosis.has(setting.env))
  const sections = [
    section(
      'Settings to begin with',
      table(['Variable', 'Set it to'], Object.entries(first).map(firstCells)),
    ),
    section('Values', forms()),
    section(
      'All services',
      settingsTable(Object.values(commonSettings).map((setting) => ({ setting, services: [] }))),
    ),
    section(
      'Several services',
      settingsTable(
        usual.filter((row) => row.services.length > 1),
        true,
      ),
    ),
    ...Object.keys(services).map((name) =>
      section(
        name,
        settingsTable(usual.filter((row) => row.services.length === 1 && row.services[0] === name)),
      ),
    ),
    section(
      'For diagnosis',
      settingsTable(
        rows.filter(({ setting }) => forDiagnosis.has(setting.env)),
        true,
      ),
    ),
  ]
  return [introduction, ...sections].join('\n')
}

/** Each setting that is not one of all services, with the services that have it in this form. */
function rowsOf(services: Readonly<Record<string, SettingsDefinition>>): Row[] {
  const common = new Set(Object.values<Setting>(commonSettings))
  const users = new Map<Setting, string[]>()
  for (const [name, settings] of Object.entries(services)) {
    for (const setting of Object.values(settings)) {
      if (!common.has(setting)) users.set(setting, [...(users.get(setting) ?? []), name])
    }
  }
  return [...users].map(([setting, names]) => ({ setting, services: names }))
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`
}

function forms(): string {
  const lines = Object.entries(shortForms).map(
    ([type, name]) => `- ${name}: ${acceptedForms[type as Setting['type']]}`,
  )
  return `${lines.join('\n')}\n`
}

function firstCells([env, purpose]: [string, string]): string[] {
  return [code(env), purpose]
}

function settingsTable(rows: readonly Row[], withServices = false): string {
  const columns = ['Variable, flag', 'Value, default', ...(withServices ? ['Services'] : []), 'Meaning']
  return table(
    columns,
    rows.map(({ setting, services }) => [
      settingNames(setting),
      value(setting),
      ...(withServices ? [services.join(', ')] : []),
      prose(setting.description),
    ]),
  )
}

/** The variable and below it the flag, so that the meaning has the width of a page. */
function settingNames({ env, flag, secret }: Setting): string {
  const variable = code(secret === true ? `${env}_FILE` : env)
  return flag === undefined ? variable : `${variable}<br>${code(`--${flag}`)}`
}

function value(setting: Setting): string {
  const form = setting.choices?.join(', ') ?? shortForms[setting.type] ?? acceptedForms[setting.type]
  if (setting.default !== undefined && setting.default !== '') return `${form}<br>${code(setting.default)}`
  return setting.default === undefined && setting.required === true ? `${form}<br>required` : form
}
