import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/**
 * The directory of compiled code that all tests share, as `NODE_COMPILE_CACHE` of a started program: without compiled code the
 * start of a service takes several times as long.
 */
export const compileCache = join(root, '.cache/compile')

/** Options of Node.js for a program of ours, by which the launcher and the image start services too. */
export const nodeOptions: readonly string[] = ['--require', join(root, 'libs/programs/src/quick-modules.ts')]
