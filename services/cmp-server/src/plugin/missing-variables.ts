import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { commandsOf, type PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import { grantAdvice, grantedNames } from '@wadi/plugins/variables/granted-variables.ts'

/** Of a longer script only the beginning is looked at. */
const maxScriptBytes = 256 * 1024

const maxScripts = 20

/** A warning of what a plugin reads and a run does not have; empty when there is nothing. */
export type MissingVariables = (given: ReadonlyMap<string, string>) => Promise<string>

/**
 * Looks for the variables of Argo CD that a plugin gets only if its operator grants them: in the arguments of its commands and in
 * the scripts that they name, beside the plugin's file or by an absolute path. What other programs read is not known.
 * @param file the plugin's
 */
export function missingVariables(file: string, plugin: PluginDefinition): MissingVariables {
  const words = commandsOf(plugin).flat()
  return async (given) => {
    const absent = grantedNames.filter((name) => !given.has(name))
    if (absent.length === 0) return ''
    const scripts = await Promise.all(scriptFiles(words, path.dirname(file)).map(readScript))
    const texts = [...words, ...scripts]
    const read = absent.filter((name) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    if (read.length === 0) return ''
    const are = read.length === 1 ? 'is' : 'are'
    return `it reads ${read.join(', ')}, which ${are} not set; ${grantAdvice(plugin.name, read)}`
  }
}

function scriptFiles(words: readonly string[], directory: string): string[] {
  const named = words.flatMap((word) => word.match(/[\w@%+./-]+/g) ?? [])
  const files = named
    .filter((word) => path.isAbsolute(word) || !word.includes('/'))
    .map((word) => path.resolve(directory, word))
  return [...new Set(files)].slice(0, maxScripts)
}

/** The text of a script; empty for a file that is not one or cannot be read. */
async function readScript(file: string): Promise<string> {
  try {
    // To open a pipe would wait for somebody to write to it.
    if (!(await stat(file)).isFile()) return ''
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxScriptBytes), 0, maxScriptBytes, 0)
    const text = buffer.toString('utf8', 0, bytesRead)
    return text.startsWith('#!') ? text : ''
  } catch {
    return ''
  }
}
