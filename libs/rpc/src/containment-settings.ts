import { defineSettings } from './service-settings.ts'

/** The settings of services that run programs on files of others. */
export const containmentSettings = defineSettings({
  renderMemory: {
    type: 'bytes',
    flag: 'render-memory',
    env: 'WADI_RENDER_MEMORY',
    default: '1GiB',
    description: 'Memory limit for all processes of one run of a renderer, plugin, action or ytt together.',
  },
})
