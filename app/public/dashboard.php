<?php

declare(strict_types=1);

use App\Configuration;
use Larder\Dashboard\Dashboard;

require __DIR__ . '/../../vendor/autoload.php';

// Who asks from this machine may see it, and flush.
$configuration = new Configuration($_SERVER + getenv());
Dashboard::of($configuration->site(), allowsFlush: true, followers: $configuration->followers)->run();
