#!/usr/bin/env node
// SPDX-License-Identifier: MIT
"use strict";

require("../src/launcher.js").launch(process.argv.slice(2));
