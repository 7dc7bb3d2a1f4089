import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDynamicAnnouncements } from '@wadi/plugins/announcements/read-announcements.ts'
import { readPlugin } from '@wadi/plugins/file/read-plugin.ts'
import { parseParametersJson } from '@wadi/plugins/parameters/parameters-json.ts'
import { type Base, type Target, textBase } from '../target.ts'

const plugins = join(import.meta.dirname, '../../../plugins')

const announcements = JSON.stringify([
  {
    name: 'values',
    title: 'Values',
    tooltip: 'Values of the chart',
    collectionType: 'map',
    itemType: 'number',
    group: 'main',
    map: { replicas: '1.50', 'image.tag': 'x' },
    required: true,
  },
  { name: 'files', collectionType: 'array', array: ['a', 'b'], ui: { type: 'select', options: ['a'] } },
  { name: 'flag', type: 'boolean', default: true },
])

const parameters = JSON.stringify([
  { name: 'values', map: { a: 'b', 'c.d': '1e400' } },
  { name: 'files', array: ['x', '$(id)'] },
  { name: 'flag', string: 'true' },
])

/** Readers of what plugins and their users write. */
export const pluginTargets: readonly Target[] = [
  {
    name: 'plugin-files',
    bases: ['helm', 'trivial'].map((name): Base => ({
      name,
      bytes: readFileSync(join(plugins, name, 'plugin.yaml')),
    })),
    async read(input, _base, scratch) {
      const file = join(scratch, 'plugin.yaml')
      writeFileSync(file, input)
      await readPlugin(file)
    },
  },
  {
    name: 'announcements',
    bases: [textBase('announcements', announcements)],
    read: (input) => readDynamicAnnouncements(input.toString()),
  },
  {
    name: 'parameters',
    bases: [textBase('parameters', parameters)],
    read: (input) => parseParametersJson(input.toString()),
  },
]
