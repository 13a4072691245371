// SPDX-License-Identifier: MIT
// What `detect` and `capabilities` say about one agent: they may answer with that agent's object, a
// list of such, or an object with one for each name.
"use strict";

/**
 * @param {any} answer
 * @param {string} agent
 * @returns {any}
 */
function answerAbout(answer, agent) {
  const list = Array.isArray(answer) ? answer : (answer?.agents ?? answer?.tools);
  if (Array.isArray(list)) return list.find((one) => [one?.name, one?.id].includes(agent)) ?? {};
  return answer?.[agent] ?? answer ?? {};
}

module.exports = { answerAbout };
