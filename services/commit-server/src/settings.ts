import { repositorySettings } from '@wadi/repositories/repository-service-settings.ts'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of commit-server. */
export const commitServerSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8086' },
  ...repositorySettings,
  writeCredentialsNamespace: {
    type: 'string',
    flag: 'write-credentials-namespace',
    env: 'WADI_WRITE_CREDENTIALS_NAMESPACE',
    description:
      'Namespace of the Secrets with write credentials, with the store kubernetes; default: WADI_NAMESPACE. In one of their own no other service can read them.',
  },
  maxCommitSize: {
    type: 'bytes',
    flag: 'max-commit-size',
    env: 'WADI_MAX_COMMIT_SIZE',
    default: '1GiB',
    description: 'Maximum size of the manifests, as JSON, and files of one hydrated commit.',
  },
})

/** The settings, read. */
export type CommitServerSettings = SettingsOf<typeof commitServerSettings>
