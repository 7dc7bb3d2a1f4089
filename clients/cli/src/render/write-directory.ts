import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { checkFiles, filesDirectory } from '@wadi/hydration/files-directory.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { LocalRender } from './render-tree.ts'

/**
 * Writes what a render yields as the hydrated branch would have it: `manifest.yaml` and the directory `files`.
 * @param directory made when it is missing
 * @throws CommandFailure when the directory has something in it, as old files would look like rendered ones and links could
 * lead elsewhere
 */
export async function writeDirectory(
  directory: string,
  { manifest, files }: Pick<LocalRender, 'manifest' | 'files'>,
): Promise<void> {
  checkFiles(files)
  await mkdir(directory, { recursive: true })
  if ((await readdir(directory)).length > 0)
    throw new CommandFailure(`${directory} is not empty; name another directory`)
  await writeFile(join(directory, hydratedFiles.manifest), manifest, { flag: 'wx' })
  for (const { path, content } of files) {
    const file = join(directory, filesDirectory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content, { flag: 'wx' })
  }
}
