<?php

return ['driver' => 'array', 'lifetime' => 120, 'cookie' => 'session', 'path' => '/', 'lottery' => [0, 100], 'files' => storage_path()];
