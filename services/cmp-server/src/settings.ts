import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { containmentSettings } from '@wadi/rpc/containment-settings.ts'
import { scriptRules } from './commands/script-rule.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of cmp-server. */
export const cmpServerSettings = defineSettings({
  ...commonSettings,
  listen: {
    ...commonSettings.listen,
    default: '127.0.0.1:8084',
    description:
      'Address to serve on: host:port, where port 0 picks a free one, unix:/path, or unix:/directory/ for a socket that is named after the plugin.',
  },
  maxMessageSize: { ...commonSettings.maxMessageSize, default: '100MiB' },
  ...containmentSettings,
  plugin: {
    type: 'string',
    flag: 'plugin',
    env: 'WADI_PLUGIN',
    description:
      'File with the ConfigManagementPlugin; default: /home/argocd/cmp-server/config/plugin.yaml, and without that no plugin.',
  },
  pluginImage: {
    type: 'string',
    flag: 'plugin-image',
    env: 'WADI_PLUGIN_IMAGE',
    default: '',
    description:
      'Image of the sidecar that this is, which is a part of the plugin: another one renders again. The chart sets it.',
  },
  runScripts: {
    type: 'choice',
    flag: 'run-scripts',
    env: 'WADI_RUN_SCRIPTS',
    choices: scriptRules,
    default: 'deny',
    description:
      'Whether actions of packages are run: deny, allow if this machine can keep them from the network, or allow-shared-network in a pod that has no network itself.',
  },
  openSocket: {
    type: 'boolean',
    flag: 'open-socket',
    env: 'WADI_OPEN_SOCKET',
    default: 'false',
    description:
      "Whether callers on the unix socket need no service identity, as Argo CD's repo-server has none; the socket's permissions decide alone.",
  },
  commandTimeout: {
    type: 'duration',
    flag: 'command-timeout',
    env: 'WADI_COMMAND_TIMEOUT',
    default: '90s',
    description:
      "Time limit for one run of a plugin's command, an action or ytt, unless the caller's deadline is earlier.",
  },
  commandGrace: {
    type: 'duration',
    flag: 'command-grace',
    env: 'WADI_COMMAND_GRACE',
    default: '5s',
    description: 'Time between SIGTERM and SIGKILL for a command that is stopped.',
  },
  maxConcurrentRuns: {
    type: 'int',
    flag: 'max-concurrent-runs',
    env: 'WADI_MAX_CONCURRENT_RUNS',
    description:
      'Maximum number of runs of the plugin at a time; further calls wait. Default: two per processor core.',
  },
  maxArchiveSize: {
    type: 'bytes',
    flag: 'max-archive-size',
    env: 'WADI_MAX_ARCHIVE_SIZE',
    default: '1GiB',
    description: 'Maximum size of a compressed archive.',
  },
  maxExtractedSize: {
    type: 'bytes',
    flag: 'max-extracted-size',
    env: 'WADI_MAX_EXTRACTED_SIZE',
    default: '4GiB',
    description: 'Maximum size of an archive after decompression.',
  },
  maxArchiveEntries: {
    type: 'int',
    flag: 'max-archive-entries',
    env: 'WADI_MAX_ARCHIVE_ENTRIES',
    default: '200000',
    description: 'Maximum number of files, directories and links in an archive.',
  },
  maxOutputSize: {
    type: 'bytes',
    flag: 'max-output-size',
    env: 'WADI_MAX_OUTPUT_SIZE',
    default: '64MiB',
    description: "Maximum size of a command's standard output.",
  },
})

/** The settings, read. */
export type CmpServerSettings = SettingsOf<typeof cmpServerSettings>
