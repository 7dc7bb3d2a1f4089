/** The variables of services in an environment, without those that decide where a mesh listens and keeps its data. */
export function serviceEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const chosen = new Set([
    'WADI_SERVER',
    'WADI_AUTH_TOKEN',
    'WADI_CONFIG_DIR',
    'WADI_OPTS',
    'WADI_LISTEN',
    'WADI_DATA_DIR',
  ])
  const own = Object.entries(environment).filter(
    ([name]) => /^(?:WADI|OTEL)_/.test(name) && !chosen.has(name),
  )
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
