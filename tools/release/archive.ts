import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The time of every file in an archive, in seconds since 1970, so that the same files give the same bytes. */
export const fileTime = 315_532_800

/** Packs a directory into a tar file with the same bytes on every machine, compressed unless it ends with `.tar`. `name` is that of the directory in it. */
export async function archiveDirectory(directory: string, name: string, file: string): Promise<void> {
  await run('tar', [
    '--create',
    `--file=${file}`,
    // Node.js compresses to other bytes on other processors.
    ...(file.endsWith('.tar') ? [] : ['--use-compress-program=gzip --no-name']),
    '--format=ustar',
    '--sort=name',
    `--mtime=@${fileTime}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
    `--transform=s,^\\.,${name},`,
    `--directory=${directory}`,
    '.',
  ])
}
