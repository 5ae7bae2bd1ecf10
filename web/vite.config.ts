// The client is built into the Python package, which serves it. Nothing is inlined, so that the
// page runs under a content security policy without inline scripts or data addresses.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  plugins: [svelte()],
  resolve: {
    // MicroPython asks for these under Node.js only.
    alias: command === 'build' ? [{ find: /^(fs|module|path|url)$/, replacement: '/src/rules/no-node.ts' }] : [],
  },
  build: {
    outDir: '../src/gokaku/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': 'http://127.0.0.1:8000', '/rules': 'http://127.0.0.1:8000' },
  },
}))
