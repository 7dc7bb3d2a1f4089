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
  signingKeyPath: {
    type: 'string',
    flag: 'signing-key-path',
    env: 'WADI_SIGNING_KEY_PATH',
    description:
      'File with the key that signs all hydrated commits and notes: an OpenPGP private key in ASCII armour, an SSH private key, or the public key of one that an agent has. Without a key nothing is signed; a key that does not work ends the start.',
  },
  signingKeyPassphraseFile: {
    type: 'string',
    flag: 'signing-key-passphrase-file',
    env: 'WADI_SIGNING_KEY_PASSPHRASE_FILE',
    description: 'File whose first line is the passphrase of WADI_SIGNING_KEY_PATH.',
  },
  signingAgentSocket: {
    type: 'string',
    flag: 'signing-agent-socket',
    env: 'WADI_SIGNING_AGENT_SOCKET',
    description:
      'Socket of the gpg-agent or ssh-agent that has the private key of WADI_SIGNING_KEY_PATH, as for hardware keys.',
  },
  signingKeys: {
    type: 'string',
    flag: 'signing-keys',
    env: 'WADI_SIGNING_KEYS',
    description:
      'Keys for projects and repositories, a YAML list of key, passphraseFile, agentSocket, projects and repositories; mostly in the file that WADI_SIGNING_KEYS_FILE names. The first that is for a commit signs it, before that of WADI_SIGNING_KEY_PATH.',
  },
  attestations: {
    type: 'boolean',
    flag: 'attestations',
    env: 'WADI_ATTESTATIONS',
    default: 'true',
    description:
      'Whether each hydrated commit that a key signs gets an attestation in the notes, signed by the same key, for "wadi verify".',
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
