<?php

declare(strict_types=1);

use App\Configuration;
use App\Http\FrontController;
use App\Tests\Site\TrapSite;

require __DIR__ . '/../../../vendor/autoload.php';

(new FrontController(TrapSite::kernel(new Configuration($_SERVER + getenv()))))->run();
