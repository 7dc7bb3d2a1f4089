import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of appset-service. */
export const appsetServiceSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8087' },
  maxApplications: {
    type: 'int',
    flag: 'max-applications',
    env: 'WADI_MAX_APPLICATIONS',
    default: '10000',
    description: 'Most Applications that one ApplicationSet may generate.',
  },
})

/** The settings, read. */
export type AppsetServiceSettings = SettingsOf<typeof appsetServiceSettings>
