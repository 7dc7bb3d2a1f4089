import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the data directory of `wadi up`: `$XDG_DATA_HOME/wadi`, else `~/.local/share/wadi`. */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: dataHome, HOME: home } = environment
  return join(dataHome || join(home || homedir(), '.local', 'share'), 'wadi')
}

/** Returns where versions of tools are for `wadi up` and local rendering: `WADI_TOOLS_DIRECTORY`, else `tools` of the data directory. */
export function localToolsDirectory(environment: NodeJS.ProcessEnv): string {
  return environment['WADI_TOOLS_DIRECTORY'] || join(defaultDataDirectory(environment), 'tools')
}
