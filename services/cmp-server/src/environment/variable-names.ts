import { isSteeringVariable } from '@wadi/plugins/variables/steering-variable.ts'

/** Names that callers make up for a run; they replace a variable of the service. */
const runNames = /^(?:ARGOCD_|PARAM_|KUBE_VERSION$|KUBE_API_VERSIONS$)/

/** Matches the variables that this service computes from the parameters; a caller's path of a file is not about this machine. */
const computedNames = /^ARGOCD_APP_PARAMETERS_(?:BY_GROUP|FILE)$/

/** Names in which Argo CD and Wadi hand credentials for git to a plugin that wants them. */
const gitCredentialNames =
  /^(?:GIT_(?:SSL_(?:NO_VERIFY|CERT|KEY|CAINFO)|ASKPASS|TERMINAL_PROMPT|SSH_COMMAND|CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+))|SOCKS5_\w+|ARGOCD_(?:GIT_\w+|ASK_PASS_SOCK|BINARY_NAME))$/

/** Those of the git credential names whose values are settings that anybody may read. */
const gitSettingNames =
  /^(?:GIT_(?:SSL_NO_VERIFY|ASKPASS|TERMINAL_PROMPT|CONFIG_COUNT|CONFIG_KEY_\d+)|ARGOCD_BINARY_NAME)$/

/** Parameters are often named in camel case, of which their variables show nothing: `adminPassword` is `ADMINPASSWORD`. */
const secretNames =
  /(?:TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIALS?|_HEADER|(?:API|ACCESS|PRIVATE|SECRET)_?KEY)$/i

/** Returns true if a caller sets the variable for a run, so that it overrides one of the service. */
export function isRunName(name: string): boolean {
  return runNames.test(name) && !computedNames.test(name) && !gitCredentialNames.test(name)
}

/** Returns true if the variable carries credentials for git, or settings that git needs to use them. */
export function isGitCredentialName(name: string): boolean {
  return gitCredentialNames.test(name)
}

/** Returns true if a user may not choose a variable of this name: it steers programs, or belongs to the protocol. */
export function isReservedName(name: string): boolean {
  return isSteeringVariable(name) || gitCredentialNames.test(name)
}

/** Returns true if only the command may see the variable's value. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name) || (gitCredentialNames.test(name) && !gitSettingNames.test(name))
}
