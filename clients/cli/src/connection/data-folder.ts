import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where `wadi up` keeps everything: `$XDG_DATA_HOME/wadi`, else `~/.local/share/wadi`. */
export function defaultDataFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: dataHome, HOME: home } = environment
  return join(dataHome || join(home || homedir(), '.local', 'share'), 'wadi')
}
