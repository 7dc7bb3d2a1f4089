import type { UiEntry } from '../file/plugin.ts'
import type { Announcement } from './announcement.ts'

/**
 * The announcement as `parameters.ui` wants it shown. An entry of a group says nothing about single parameters but whether
 * items may be added; its heading goes to user interfaces as `groupTitle` and `groupTooltip` of a `uiConfig` that is free.
 */
export function withUi(announcement: Announcement, ui: readonly UiEntry[]): Announcement {
  let shown = announcement
  for (const entry of ui) {
    const isOfGroup = entry.name === '' && entry.group === announcement.group
    if (entry.name !== announcement.name && !isOfGroup) continue
    const { title, tooltip, userCanAddMore } = entry
    shown = {
      ...shown,
      ...(isOfGroup
        ? { uiConfig: shown.uiConfig || groupConfig(entry) }
        : { title: title ?? shown.title, tooltip: tooltip ?? shown.tooltip }),
      fixedItems: userCanAddMore === undefined ? shown.fixedItems : !userCanAddMore,
    }
  }
  return shown
}

function groupConfig({ title, tooltip }: UiEntry): string {
  if (title === undefined && tooltip === undefined) return ''
  return JSON.stringify({ groupTitle: title, groupTooltip: tooltip })
}
