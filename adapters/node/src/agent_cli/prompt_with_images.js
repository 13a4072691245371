// SPDX-License-Identifier: MIT
// A prompt with pictures from files, as content blocks.
"use strict";

const fs = require("node:fs/promises");
const path = require("node:path");
const { YumeCliError, reasonOf } = require("../errors.js");

/** @type {Record<string, string>} */
const TYPES = {
  ".gif": "image/gif",
  ".heic": "image/heic",
  ".heif": "image/heif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};

// Paths are relative to `folder`. Without images the prompt stays a text.
/**
 * @param {string} prompt
 * @param {{ path: string }[]} images
 * @param {string} folder
 * @returns {Promise<import("../../types").Prompt>}
 */
async function promptWithImages(prompt, images, folder) {
  if (images.length === 0) return prompt;
  const pictures = await Promise.all(
    images.map((image) => picture(path.resolve(folder, image.path))),
  );
  return [{ type: "text", text: prompt }, ...pictures];
}

/**
 * @param {string} file
 * @returns {Promise<import("../../types").ContentBlock>}
 */
async function picture(file) {
  const media_type = TYPES[path.extname(file).toLowerCase()];
  if (media_type === undefined) {
    throw unusable(file, `only ${Object.keys(TYPES).join(", ")} are pictures that the model takes`);
  }
  try {
    const data = await fs.readFile(file, "base64");
    return { type: "image", source: { type: "base64", media_type, data } };
  } catch (error) {
    throw unusable(file, reasonOf(error));
  }
}

/**
 * @param {string} file
 * @param {string} why
 */
function unusable(file, why) {
  return new YumeCliError("YUME_BAD_ARGUMENT", {
    what: `cannot send the image ${file}`,
    why,
    fix: "Pass another file, or leave it out",
  });
}

module.exports = { promptWithImages };
