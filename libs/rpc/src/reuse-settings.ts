import { defineSettings } from './service-settings.ts'

/** The setting of everything that uses results of earlier work. */
export const reuseSettings = defineSettings({
  reuse: {
    type: 'choice',
    flag: 'reuse',
    env: 'WADI_REUSE',
    choices: ['on', 'off'],
    default: 'on',
    description:
      'Whether results of earlier work are used. With off, each hydration and comparison inspects and renders everything again, and ApplicationSets are generated again: a difference to on is an error of a cache. Set it for all services and for wadi diff --local.',
  },
})
