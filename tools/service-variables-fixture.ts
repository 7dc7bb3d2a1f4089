import { serviceSettings } from './service-settings.ts'

/** Every variable that a service reads, with the forms that name a file. */
export function variablesOf(service: string): ReadonlySet<string> {
  const variables = Object.values(serviceSettings[service] ?? {}).map(({ env }) => env)
  // Read where the namespace is used, not by a setting.
  return new Set([
    ...variables,
    ...variables.map((variable) => `${variable}_FILE`),
    'WADI_NAMESPACE',
    'WADI_CREDENTIALS_NAMESPACE',
  ])
}
