import path from 'node:path'
import { rpcPages } from '../tools/rpc-pages.ts'

const root = path.resolve(import.meta.dirname, '..')

export default {
  paths: async () =>
    (await rpcPages(root)).map(({ name, text }) => ({ params: { rpc: name }, content: text })),
}
