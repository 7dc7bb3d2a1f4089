import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { checkFiles, filesDirectory } from '@wadi/hydration/files-directory.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { LocalRender } from './render-tree.ts'

/**
 * Writes what a render yields as the hydrated branch would have it: `manifest.yaml` and the folder `files`.
 * @param folder made when it is missing
 * @throws CommandFailure when the folder has something in it, as old files would look like rendered ones and links could
 * lead elsewhere
 */
export async function writeDirectory(
  folder: string,
  { manifest, files }: Pick<LocalRender, 'manifest' | 'files'>,
): Promise<void> {
  checkFiles(files)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0)
    throw new CommandFailure(`${folder} is not empty; name another directory`)
  await writeFile(join(folder, hydratedFiles.manifest), manifest, { flag: 'wx' })
  for (const { path, content } of files) {
    const file = join(folder, filesDirectory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content, { flag: 'wx' })
  }
}
