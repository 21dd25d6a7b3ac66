"use strict";

// The addon. Its class `SessionManager` is the core's side of ours, with the same method names.
module.exports = require("../binding.js");
