import type { Transport } from '../remote/repository-url.ts'

const inheritedNames = [
  'PATH',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

const hardenedConfig: [string, string][] = [
  ['core.logAllRefUpdates', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  // What fast-import makes stays one pack, which can be pushed as it is.
  ['fastimport.unpackLimit', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['http.followRedirects', 'false'],
  // A transfer that stands still for a minute is over, however long a moving one may take.
  ['http.lowSpeedLimit', '100'],
  ['http.lowSpeedTime', '60'],
]

/**
 * The environment of every git process: no configuration of the system or the user, no prompt, no hook, no helper,
 * no replacement objects, and no transport but the one given.
 *
 * @param config further configuration; the process sees it in its environment, never in its arguments
 */
export function gitEnvironment(options: {
  gitDirectory?: string
  transport?: Transport
  config?: [string, string][]
  environment?: Record<string, string>
}): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of inheritedNames) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  Object.assign(environment, {
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ALLOW_PROTOCOL: options.transport ?? 'none',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    // By default glibc gives back what zlib used for each object that is written, and takes it again for the next one.
    MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
    ...options.environment,
  })
  if (options.gitDirectory !== undefined) environment['GIT_DIR'] = options.gitDirectory
  const config = [...hardenedConfig, ...(options.config ?? [])]
  environment['GIT_CONFIG_COUNT'] = String(config.length)
  for (const [index, [key, value]] of config.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}
