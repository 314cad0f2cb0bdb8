<?php

/** What WebServer measures: a script that does nothing, or asks whether the request may pass. */

declare(strict_types=1);

require __DIR__ . $_SERVER['REQUEST_URI'] . '.php';
