import { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { appsetServiceSettings } from '@wadi/appset-service/settings.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { commitServerSettings } from '@wadi/commit-server/settings.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import type { SettingsDefinition } from '@wadi/rpc/setting.ts'

/** The settings of each service, by its name. */
export const serviceSettings: Readonly<Record<string, SettingsDefinition>> = {
  'api-gateway': apiGatewaySettings,
  hydrator: hydratorSettings,
  'repo-server': repoServerSettings,
  'commit-server': commitServerSettings,
  'cmp-server': cmpServerSettings,
  'appset-service': appsetServiceSettings,
}
