'use strict'

const fs = require('node:fs')
const path = require('node:path')

// The bugs that can be switched on, one at a time, with `--bug NAME`; these files say what each does.
const LISTS = ['bugs.yaml', 'bugs_second.yaml', 'bugs_third.yaml', 'bugs_fourth.yaml']
const known = LISTS.flatMap((list) => fs.readFileSync(path.join(__dirname, list), 'utf8').match(/(?<=name: )[a-z0-9-]+/g) ?? [])

let chosen = null

function chooseBug(words) {
  if (words.length === 0) return
  if (words.length !== 2 || words[0] !== '--bug' || !known.includes(words[1])) {
    process.stderr.write('penstock: expected no word, or --bug and a name that one of the lists bugs*.yaml has\n')
    process.exit(2)
  }
  chosen = words[1]
}

const bug = (name) => chosen === name

module.exports = { bug, chooseBug }
