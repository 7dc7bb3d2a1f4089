import type { Plugin } from 'vite'

/** Markup of VitePress's theme by component, each with what a screen reader can make sense of. */
const replacements: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  // A result is an option that is a link: a link within an option cannot be reached.
  VPLocalSearchBox: [
    [/role="button"[^>]*?(?=aria-labelledby="localsearch-label")/, 'role="dialog" aria-modal="true" '],
    [/:id="'localsearch-item-' \+ index"[^>]*?role="option"/, 'role="none"'],
    [
      /:aria-label="\[\.\.\.p\.titles[^"]*"/,
      `role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index"`,
    ],
    [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
  ],
  // Its text is its name, and where there is no place for text, its title.
  VPNavBarSearchButton: [
    [/:aria-label/, ':title'],
    [/class="DocSearch-Button-Keys"/, '$& aria-hidden="true"'],
  ],
  // The whole heading of a group folds it; its arrow is no second button.
  VPSidebarItem: [
    [/:role="itemRole"/, '$& :aria-expanded="itemRole && !collapsed"'],
    [/role="button"\s+aria-label="toggle section"([^>]*?)\s+tabindex="0"/, 'aria-hidden="true"$1'],
  ],
}

/** Repairs the roles of VitePress's theme; fails the build when the theme has changed. */
export function accessibleTheme(): Plugin {
  return {
    name: 'accessible-theme',
    enforce: 'pre',
    transform(code, id) {
      const [, component = ''] = /\/theme-default\/components\/(\w+)\.vue$/.exec(id) ?? []
      return replacements[component]?.reduce((before, [pattern, replacement]) => {
        const after = before.replace(pattern, replacement)
        if (after === before) this.error(`${component} of VitePress has no ${pattern.source} any more`)
        return after
      }, code)
    },
  }
}
