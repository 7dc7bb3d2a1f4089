import { readPlugin } from '@wadi/plugins/file/read-plugin.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Reads files with a plugin each and returns the warnings about them, each `file:line: …`.
 * @throws CommandFailure for two plugins of one name, InvalidInputError for a file that holds no plugin
 */
export async function checkPluginFiles(files: readonly string[]): Promise<string[]> {
  const names = new Map<string, string>()
  const warnings: string[] = []
  for (const file of files) {
    const { name, warnings: ofFile } = await readPlugin(file)
    const other = names.get(name)
    if (other !== undefined) {
      throw new CommandFailure(
        `${other} and ${file} both define plugin ${name}; keep one, or give one another name or spec.version`,
      )
    }
    names.set(name, file)
    warnings.push(...ofFile)
  }
  return warnings
}
