<?php

return ['default' => 'file', 'channels' => ['file' => ['driver' => 'single', 'path' => storage_path('logs/laravel.log')]]];
