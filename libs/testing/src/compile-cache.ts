import { join } from 'node:path'

/**
 * The directory of compiled code that all tests share, as `NODE_COMPILE_CACHE` of a started program: without compiled code the
 * start of a service takes several times as long.
 */
export const compileCache = join(import.meta.dirname, '../../../.cache/compile')
